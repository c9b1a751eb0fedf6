import type { StepOutput } from '../canonical/outputs';
import type { Spot } from '../finding-report';
import { describePath } from '../yaml/node-place';
import { isPartlyRead, report, type YamlValue } from '../yaml/yaml-value';
import { oldDoingKeys } from './old-keys';
import { oldSubDag } from './old-sub-dag';
import { readOldForm } from './read-old-form';
import { reportField } from './report-old';
import { shellKeys } from './shell-settings';
import type { StepFields, StepForm } from './step-form';

const presentKeys = ['run', 'action', 'foreach'] as const;

/** The one way in which the step says what it does; every other one beside it is reported. */
export function chooseForm(given: StepFields, hasUnsupported: boolean, step: YamlValue): StepForm {
  const fields = oldSubDag(given) ?? given;
  const [chosen, ...others] = presentKeys.filter((name) => fields[name] && !fields[name].isMisspelt);
  if (chosen === undefined) return readOldForm(fields, step) ?? doNothing(fields, hasUnsupported, step);
  for (const name of [...others, ...oldDoingKeys.filter((key) => fields[key])]) {
    const spot = fields[name]?.key ?? step;
    if (chosen === 'action' && isSetting(name)) reportField(fields.action?.value ?? '', name, spot, step);
    else reportBoth(chosen, name, spot, step);
  }
  switch (chosen) {
    case 'run':
      return { kind: 'run', run: fields.run?.value, settings: fields.with?.value };
    case 'action':
      return readName(fields, step);
    case 'foreach':
      if (fields.with) reportBoth(chosen, 'with', fields.with.key, step);
      return fields.foreach?.value ? { kind: 'foreach', loop: fields.foreach.value } : { kind: 'broken' };
  }
}

/** Whether an old key of the step says with what something is done, and not what. */
function isSetting(key: string): boolean {
  return !['run', 'foreach', 'type', 'executor', 'call', 'config'].includes(key);
}

function readName(fields: StepFields, step: YamlValue): StepForm {
  const { action, with: settings } = fields;
  if (action?.value === undefined || (settings && !settings.value)) return { kind: 'broken' };
  for (const key of shellKeys) {
    const field = fields[key];
    if (field) reportField(action.value, key, field.key, step);
  }
  return { kind: 'action', call: { name: action.value.trim(), spot: action.source, settings: settings?.value } };
}

/** A step that only publishes literal outputs has nothing to do, and need not say so. */
function doNothing(fields: StepFields, hasUnsupported: boolean, step: YamlValue): StepForm {
  const { output } = fields;
  if (output && isLiteral(output.value)) return { kind: 'action', call: { name: 'noop', spot: output.key } };
  const isMisspelt = presentKeys.some((name) => fields[name]);
  // An unsupported key, or a part that cannot be read, says already why there is nothing to run.
  if (!hasUnsupported && !isMisspelt && !isPartlyRead(step)) {
    report(step, 'missing_key', `run is required: ${describePath(step.path)} has nothing to do`);
  }
  return { kind: 'broken' };
}

function isLiteral(output: StepOutput | undefined): boolean {
  return output?.kind === 'fields' && output.fields.every(({ source }) => source.kind === 'literal');
}

function reportBoth(chosen: string, other: string, spot: Spot, { context }: YamlValue): void {
  context.report.add('conflicting_keys', spot, `${chosen} cannot be used together with ${other}`);
}
