import type { Part } from '../../model/compact';
import type { Step } from '../../model/step';
import { readObject, type Fields } from '../../shapes/read-object';
import type { deprecatedWorkKeys } from '../../keys/step-keys/deprecated-work-keys';
import { runSettingsKind } from '../../keys/step-keys/run-settings-kind';
import { joinShell } from '../../values/execution/shell';
import type { YamlValue } from '../../source/yaml/yaml-value';
import { reportDeprecated } from '../../shapes/report-deprecated';
import type { RunForm } from './step-form';

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
