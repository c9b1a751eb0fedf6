import type { JsonObject, JsonValue } from '../canonical/json';
import type { Spot } from '../finding-report';
import { valueAt } from '../json-schema/value-at';
import { quote } from '../quote';
import { wrongKind } from '../read/readers';
import { anyMap } from '../read/shapes';
import { madeMap, madeValue } from '../yaml/made-value';
import { entriesOf, kindOf, textOf, type YamlValue } from '../yaml/yaml-value';
import type { CustomCall } from './expand-call';
import { findIn } from './find-input';
import type { InputProblem } from './input-schema';

/** The input of a call, checked and with defaults. */
export interface GivenInput {
  readonly find: (path: readonly string[]) => YamlValue | undefined;
  /** Where it stands, or where it should. */
  readonly spot: Spot;
}

/** Nothing when the input does not fit the schema of the action, which is reported. */
export function readInput({ action, step, name }: CustomCall): GivenInput | undefined {
  const { definition, checkInput, budget, isBroken } = action;
  if (isBroken) return undefined;
  const value = givenValue(step) ?? madeMap([], name, step.context);
  if (kindOf(value) !== 'map') return wrongKind(value, 'a map');
  const given = anyMap.read(value);
  if (!given || !budget.spend(costOf(given) + costOf(definition.inputSchema ?? {}), name)) return undefined;
  const { input, problems } = checkInput(given);
  for (const problem of problems) reportProblem(problem, value, definition.name);
  if (problems.length > 0) return undefined;
  const find = findIn(value);
  return { spot: value, find: (path) => find(path) ?? findDefault(input, path, name) };
}

function givenValue(step: YamlValue): YamlValue | undefined {
  const value = entriesOf(step).find(({ key }) => key === 'with' || key === 'config')?.value;
  return value && kindOf(value) !== 'null' ? value : undefined;
}

function costOf(json: JsonObject): number {
  return JSON.stringify(json).length;
}

function reportProblem({ path, message, surplusKey, isMissing }: InputProblem, input: YamlValue, name: string): void {
  const place = valueAt(input, path) ?? input;
  const { report } = place.context;
  const surplus = surplusKey === undefined ? undefined : entriesOf(place).find(({ key }) => key === surplusKey);
  const where = `input of ${quote(name)}`;
  if (surplus) report.add('unknown_key', surplus.spot, `the ${where} has invalid keys: ${quote(surplus.key)}`);
  else if (isMissing) report.add('missing_key', place, `the ${where} ${message}`);
  else {
    const shown = textOf(place);
    const suffix = shown === undefined ? '' : ` (value: ${quote(shown)})`;
    report.add('invalid_value', place, `the ${where}: ${path === '' ? '' : `${path.slice(1)} `}${message}${suffix}`);
  }
}

function findDefault(input: JsonObject, path: readonly string[], name: YamlValue): YamlValue | undefined {
  let at: JsonValue | undefined = input;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, JsonValue>>)[key];
  }
  return at === undefined ? undefined : madeValue(at, name, name.context);
}
