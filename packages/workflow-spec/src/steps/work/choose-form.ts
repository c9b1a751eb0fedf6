import type { StepOutput } from '../../model/outputs';
import type { SourceLocation } from '../../source/findings/source-location';
import { describePath } from '../../source/findings/describe-path';
import { isPartlyRead, report, type YamlValue } from '../../source/yaml/yaml-value';
import { deprecatedFormKeys } from '../../keys/step-keys/form-keys';
import { readDeprecatedSubDag } from '../deprecated/read-sub-dag';
import { readDeprecatedForm } from '../deprecated/read-form';
import { reportField } from '../../shapes/report-deprecated';
import { shellKeys } from '../form/shell-settings';
import type { StepFields, StepForm } from '../form/step-form';

const presentKeys = ['run', 'action', 'foreach'] as const;

/** Chooses the key that defines the work of a step, and reports all others. */
export function chooseForm(given: StepFields, hasUnsupported: boolean, step: YamlValue): StepForm {
  const fields = readDeprecatedSubDag(given) ?? given;
  const [chosen, ...others] = presentKeys.filter((name) => fields[name] && !fields[name].isMisspelled);
  if (chosen === undefined) return readDeprecatedForm(fields, step) ?? doNothing(fields, hasUnsupported, step);
  for (const name of [...others, ...deprecatedFormKeys.filter((key) => fields[key])]) {
    const location = fields[name]?.keyLocation ?? step;
    if (chosen === 'action' && isSetting(name)) reportField(fields.action?.value ?? '', name, location, step);
    else reportBoth(chosen, name, location, step);
  }
  switch (chosen) {
    case 'run':
      return { kind: 'run', run: fields.run?.value, settings: fields.with?.value };
    case 'action':
      return readName(fields, step);
    case 'foreach':
      if (fields.with) reportBoth(chosen, 'with', fields.with.keyLocation, step);
      return fields.foreach?.value ? { kind: 'foreach', loop: fields.foreach.value } : { kind: 'broken' };
  }
}

/** Whether a deprecated key of the step is a setting of its work and not the work itself. */
function isSetting(key: string): boolean {
  return !['run', 'foreach', 'type', 'executor', 'call', 'config'].includes(key);
}

function readName(fields: StepFields, step: YamlValue): StepForm {
  const { action, with: settings } = fields;
  if (action?.value === undefined || (settings && !settings.value)) return { kind: 'broken' };
  for (const key of shellKeys) {
    const field = fields[key];
    if (field) reportField(action.value, key, field.keyLocation, step);
  }
  return { kind: 'action', call: { name: action.value.trim(), location: action.source, settings: settings?.value } };
}

/** A step that only publishes literal outputs needs no work. */
function doNothing(fields: StepFields, hasUnsupported: boolean, step: YamlValue): StepForm {
  const { output } = fields;
  if (output && isLiteral(output.value))
    return { kind: 'action', call: { name: 'noop', location: output.keyLocation } };
  const isMisspelt = presentKeys.some((name) => fields[name]);
  // An unsupported or unreadable part has already been reported.
  if (!hasUnsupported && !isMisspelt && !isPartlyRead(step)) {
    report(step, 'missing_key', `run is required: ${describePath(step.path)} has nothing to do`);
  }
  return { kind: 'broken' };
}

function isLiteral(output: StepOutput | undefined): boolean {
  return output?.kind === 'fields' && output.fields.every(({ source }) => source.kind === 'literal');
}

function reportBoth(chosen: string, other: string, location: SourceLocation, { context }: YamlValue): void {
  context.report.add('conflicting_keys', location, `${chosen} cannot be used together with ${other}`);
}
