import type { SourceLocation } from '../findings/source-location';
import { findAction } from '../actions/action-catalogue';
import { unsupportedAction } from '../actions/unsupported-action';
import { quote } from '../text/quote';
import { didYouMean } from '../text/suggest';
import { report, type YamlValue } from '../yaml/yaml-value';
import { impliedActions, oldDoingKeys, oldTypes, unsupportedTypes } from './old-keys';
import { readOldRun } from './read-old-run';
import { reportOld } from './report-old';
import { oldSettings } from './old-settings';
import type { StepFields, StepForm } from './step-form';

/** What an old form names. */
interface OldType {
  /** Of the catalogue, or `run`; missing when there is no such thing, which has been reported. */
  readonly action: string | undefined;
  /** Where the type, or the key that implies it, stands. */
  readonly location: SourceLocation;
}

/** What a step does that is written in one of the old forms, or nothing when it says nothing. */
export function readOldForm(fields: StepFields, step: YamlValue): StepForm | undefined {
  if (!oldDoingKeys.some((key) => fields[key])) return undefined;
  const type = readType(fields, step);
  if (!type) return readOldRun(fields, step);
  if (type.action === undefined) return { kind: 'broken' };
  if (type.action === 'run') return readOldRun(fields, step);
  const settings = oldSettings({ action: type.action, fields, step });
  return { kind: 'action', call: { name: type.action, location: type.location, settings } };
}

function readType(fields: StepFields, step: YamlValue): OldType | undefined {
  const { type, executor } = fields;
  if (type && executor) {
    step.context.report.add('conflicting_keys', executor.keyLocation, 'type cannot be used together with executor');
  }
  if (type) return toOldType(type.value?.trim(), type.source, type.keyLocation, isAlone(fields));
  if (executor) {
    return toOldType(executor.value?.type, executor.value?.source ?? executor.source, executor.keyLocation, false);
  }
  const implied = impliedActions.find(([key]) => fields[key]);
  const location = implied && fields[implied[0]]?.keyLocation;
  return implied && location && { action: implied[1], location };
}

function toOldType(name: string | undefined, source: YamlValue, key: SourceLocation, isAlone: boolean): OldType {
  const action = name === undefined ? undefined : findOldAction(name, source);
  if (action !== undefined && action !== 'run') {
    const range = [key.range[0], source.range[1]] as const;
    const fix = isAlone ? { title: `Write action: ${action}`, text: `action: ${action}`, range } : undefined;
    reportOld(key, `action: ${action}`, source, fix);
  } else if (action === 'run') reportOld(key, 'run', source);
  return { action, location: source };
}

function findOldAction(name: string, source: YamlValue): string | undefined {
  const action = oldTypes.get(name) ?? findAction(name)?.name;
  if (action !== undefined) return action;
  const what = unsupportedTypes.get(name) ?? unsupportedAction(name);
  if (what !== undefined) {
    report(source, 'unsupported_value', `steps of type ${quote(name)} (${what}) are not supported by this version`);
    return undefined;
  }
  const near = source.context.suggest(name, oldTypes.keys());
  report(source, 'unknown_action', `unknown step type ${quote(name)}${didYouMean(near)}`);
  return undefined;
}

/** Whether nothing else of the step has to change when the type does. */
function isAlone(fields: StepFields): boolean {
  return oldDoingKeys.every((key) => key === 'type' || !fields[key]);
}
