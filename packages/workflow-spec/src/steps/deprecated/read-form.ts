import type { SourceLocation } from '../../source/findings/source-location';
import { findAction } from '../../keys/actions/action-catalogue';
import { unsupportedAction } from '../../keys/actions/unsupported-action';
import { quote } from '../../source/text/quote';
import { didYouMean } from '../../source/text/suggest';
import { report, type YamlValue, getEntries, getKind } from '../../source/yaml/yaml-value';
import { impliedActions, deprecatedFormKeys, deprecatedTypes, unsupportedTypes } from '../../keys/step-keys/form-keys';
import { readDeprecatedRun } from './read-run';
import { reportDeprecated } from '../../shapes/report-deprecated';
import { readDeprecatedSettings } from './read-settings';
import type { StepFields, StepForm, ActionCall } from '../form/step-form';
import { syntheticMap } from '../../source/yaml/synthetic-value';

interface DeprecatedType {
  /** An action of the catalogue, or `run`; undefined for an unknown type, which has been reported. */
  readonly action: string | undefined;
  /** Location of the type, or of the key that implies it. */
  readonly location: SourceLocation;
}

/** Reads the work of a step in a deprecated form; `undefined` when there is none. */
export function readDeprecatedForm(fields: StepFields, step: YamlValue): StepForm | undefined {
  if (!deprecatedFormKeys.some((key) => fields[key])) return undefined;
  const type = readType(fields, step);
  if (!type) return readDeprecatedRun(fields, step);
  if (type.action === undefined) return { kind: 'broken' };
  if (type.action === 'run') return readDeprecatedRun(fields, step);
  const settings = readDeprecatedSettings({ action: type.action, fields, step });
  const nested = readNestedImport(type.action, settings);
  return { kind: 'action', call: { name: type.action, location: type.location, settings, ...nested } };
}

function readType(fields: StepFields, step: YamlValue): DeprecatedType | undefined {
  const { type, executor } = fields;
  if (type && executor) {
    step.context.report.add('conflicting_keys', executor.keyLocation, 'type cannot be used together with executor');
  }
  if (type) return toDeprecatedType(type.value?.trim(), type.source, type.keyLocation, isAlone(fields));
  if (executor) {
    return toDeprecatedType(
      executor.value?.type,
      executor.value?.source ?? executor.source,
      executor.keyLocation,
      false,
    );
  }
  const implied = impliedActions.find(([key]) => fields[key]);
  const location = implied && fields[implied[0]]?.keyLocation;
  return implied && location && { action: implied[1], location };
}

function toDeprecatedType(
  name: string | undefined,
  source: YamlValue,
  key: SourceLocation,
  isAlone: boolean,
): DeprecatedType {
  const action = name === undefined ? undefined : findReplacingAction(name, source);
  if (action !== undefined && action !== 'run') {
    const range = [key.range[0], source.range[1]] as const;
    const fix = isAlone ? { title: `Write action: ${action}`, text: `action: ${action}`, range } : undefined;
    reportDeprecated(key, `action: ${action}`, source, fix);
  } else if (action === 'run') reportDeprecated(key, 'run', source);
  return { action, location: source };
}

function findReplacingAction(name: string, source: YamlValue): string | undefined {
  const action = deprecatedTypes.get(name) ?? findAction(name)?.name;
  if (action !== undefined) return action;
  const what = unsupportedTypes.get(name) ?? unsupportedAction(name);
  if (what !== undefined) {
    report(source, 'unsupported_value', `steps of type ${quote(name)} (${what}) are not supported by this version`);
    return undefined;
  }
  const near = source.context.suggest(name, deprecatedTypes.keys());
  report(source, 'unknown_action', `unknown step type ${quote(name)}${didYouMean(near)}`);
  return undefined;
}

/** Whether the type is the only part of the step that has to be rewritten. */
function isAlone(fields: StepFields): boolean {
  return deprecatedFormKeys.every((key) => key === 'type' || !fields[key]);
}

const importActions: ReadonlyMap<string, string> = new Map([
  ['postgres.query', 'postgres.import'],
  ['sqlite.query', 'sqlite.import'],
]);

/** In 1.x, a step of a database imported a file when its settings had a map `import`. */
function readNestedImport(action: string, settings: YamlValue): Pick<ActionCall, 'name' | 'settings'> | undefined {
  const name = importActions.get(action);
  const entries = getEntries(settings);
  const nested = entries.find(({ key, value }) => key === 'import' && getKind(value) === 'map');
  if (name === undefined || !nested) return undefined;
  reportDeprecated(nested.location, `with of action: ${name}`, settings);
  const others = entries.filter((entry) => entry !== nested);
  return { name, settings: syntheticMap([...others, ...getEntries(nested.value)], settings, settings.context) };
}
