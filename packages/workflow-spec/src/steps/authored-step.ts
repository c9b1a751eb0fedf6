import type { EnvEntry, StepRun } from '../dag';
import type { Spot } from '../finding-report';
import { readObject, type Field, type Fields } from '../read/read-object';
import { joinShell } from '../values/shell';
import { kindOf, type YamlValue } from '../yaml/yaml-value';
import { pickRun, readRun } from './read-run';
import { runSettingsKind, stepKind, type stepKeys } from './step-kind';

type StepFields = Fields<typeof stepKeys>;

/** A step as it stands in the file: its name may be missing, and what it depends on is not looked up. */
export interface AuthoredStep {
  readonly source: YamlValue;
  readonly name?: Field<string> | undefined;
  readonly id?: Field<string> | undefined;
  readonly description?: string | undefined;
  readonly run: StepRun;
  readonly depends?: Field<readonly YamlValue[]> | undefined;
  readonly env: readonly EnvEntry[];
  readonly workingDir?: string | undefined;
  readonly shell?: readonly string[] | undefined;
}

/** A step written as a map, or as its command alone. */
export function readAuthoredStep(source: YamlValue): AuthoredStep | undefined {
  if (kindOf(source) !== 'map') {
    const run = readRun(source);
    return run && { source, run, env: [] };
  }
  const read = readObject(source, stepKind);
  if (!read) return undefined;
  const { fields } = read;
  return {
    source,
    name: fields.name,
    id: fields.id,
    description: fields.description?.value,
    run: pickRun(read, source),
    depends: fields.depends,
    env: fields.env?.value ?? [],
    workingDir: fields.working_dir?.value,
    shell: readStepShell(fields, read.unsupported, source),
  };
}

function readStepShell(
  fields: StepFields,
  unsupported: ReadonlySet<string>,
  step: YamlValue,
): readonly string[] | undefined {
  const settings = fields.with;
  if (!settings?.value || unsupported.has('action')) return joinShell(fields, step.context);
  const inner = readObject(settings.value, runSettingsKind);
  for (const name of ['shell', 'shell_args'] as const) {
    if (inner?.fields[name] && fields[name]) reportBoth(name, fields[name].key, step);
  }
  return joinShell({ ...fields, ...inner?.fields }, step.context);
}

function reportBoth(name: string, spot: Spot, step: YamlValue): void {
  step.context.report.add('conflicting_keys', spot, `${name} cannot be used together with with.${name}`);
}
