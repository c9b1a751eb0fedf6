import type { Part } from '../compact';
import type { Step } from '../model/step';
import { keySpec, objectKind } from '../shapes/object-kind';
import { readObject, type Fields } from '../shapes/read-object';
import { textList } from '../shapes/shapes';
import { shellUnsupported, type deprecatedWorkKeys } from '../step-keys/deprecated-work-keys';
import { joinShell, shell } from '../execution/shell';
import type { YamlValue } from '../yaml/yaml-value';
import { reportDeprecated } from './deprecated/report-deprecated';
import type { RunForm } from './step-form';

/** `with` next to `run`; next to `action` it contains the settings of the action. */
export const runSettingsKind = objectKind({
  title: 'with of run',
  keys: {
    shell: keySpec('Shell of the step, with its arguments', shell),
    shell_args: keySpec('Additional arguments of the shell', textList),
  },
  unsupported: shellUnsupported,
});

type ShellFields = Fields<Pick<typeof deprecatedWorkKeys, 'shell' | 'shell_args'>>;

export const shellKeys = ['shell', 'shell_args'] as const;

/** Reads the shell of a step with `run` from `with`, or in the deprecated form from the step itself. */
export function readShell(
  fields: ShellFields,
  { settings, interpreter }: RunForm,
  step: YamlValue,
): Part<Pick<Step, 'shell'>> {
  const inner = settings && readObject(settings, runSettingsKind)?.fields;
  for (const name of shellKeys) {
    const old = fields[name];
    if (!old) continue;
    if (inner?.[name]) {
      const message = `${name} cannot be used together with with.${name}`;
      step.context.report.add('conflicting_keys', old.keyLocation, message);
    } else reportDeprecated(old.keyLocation, `with.${name}`, step);
  }
  const both = { ...fields, ...inner };
  if (interpreter) {
    if (both.shell)
      step.context.report.add(
        'conflicting_keys',
        both.shell.keyLocation,
        'shell and a command for the script exclude each other',
      );
    return { shell: [...interpreter, ...(both.shell_args?.value ?? [])] };
  }
  return { shell: joinShell(both, step.context) };
}
