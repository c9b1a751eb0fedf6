import type { JsonObject, JsonValue } from '../../model/json';
import type { SourceLocation } from '../../source/findings/source-location';
import { findAtPointer } from '../../source/yaml/find-at-pointer';
import { quote } from '../../source/text/quote';
import { reportWrongKind } from '../../shapes/readers';
import { anyMap } from '../../shapes/shapes';
import { syntheticMap, syntheticValue } from '../../source/yaml/synthetic-value';
import { getEntries, getKind, getText, type YamlValue } from '../../source/yaml/yaml-value';
import type { CustomCall } from './custom-call';
import type { InputProblem } from '../custom-actions/input-schema';

/** The input of a call, validated and with defaults. */
export interface GivenInput {
  readonly find: (path: readonly string[]) => YamlValue | undefined;
  /** The location of the input, or of the call when there is none. */
  readonly location: SourceLocation;
}

/** Returns undefined, after reporting it, when the input does not match the schema of the action. */
export function readInput({ action, step, name }: CustomCall): GivenInput | undefined {
  const { definition, checkInput, budget, isBroken } = action;
  if (isBroken) return undefined;
  const value = givenValue(step) ?? syntheticMap([], name, step.context);
  if (getKind(value) !== 'map') return reportWrongKind(value, 'a map');
  const given = anyMap.read(value);
  if (!given || !budget.spend(measureCost(given) + measureCost(definition.inputSchema ?? {}), name)) return undefined;
  const { input, problems } = checkInput(given);
  for (const problem of problems) reportProblem(problem, value, definition.name);
  if (problems.length > 0) return undefined;
  const find = createInputFinder(value);
  return { location: value, find: (path) => find(path) ?? findDefault(input, path, name) };
}

function givenValue(step: YamlValue): YamlValue | undefined {
  const value = getEntries(step).find(({ key }) => key === 'with' || key === 'config')?.value;
  return value && getKind(value) !== 'null' ? value : undefined;
}

function measureCost(json: JsonObject): number {
  return JSON.stringify(json).length;
}

function reportProblem({ path, message, surplusKey, isMissing }: InputProblem, input: YamlValue, name: string): void {
  const invalidPart = findAtPointer(input, path) ?? input;
  const { report } = invalidPart.context;
  const surplus = surplusKey === undefined ? undefined : getEntries(invalidPart).find(({ key }) => key === surplusKey);
  const where = `input of ${quote(name)}`;
  if (surplus) report.add('unknown_key', surplus.location, `the ${where} has invalid keys: ${quote(surplus.key)}`);
  else if (isMissing) report.add('missing_key', invalidPart, `the ${where} ${message}`);
  else {
    const shown = getText(invalidPart);
    const suffix = shown === undefined ? '' : ` (value: ${quote(shown)})`;
    report.add(
      'invalid_value',
      invalidPart,
      `the ${where}: ${path === '' ? '' : `${path.slice(1)} `}${message}${suffix}`,
    );
  }
}

function findDefault(input: JsonObject, path: readonly string[], name: YamlValue): YamlValue | undefined {
  let at: JsonValue | undefined = input;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, JsonValue>>)[key];
  }
  return at === undefined ? undefined : syntheticValue(at, name, name.context);
}

type Find = (path: readonly string[]) => YamlValue | undefined;

/** Looks up parts of nested maps. Each map is indexed once, however many lookups it gets. */
function createInputFinder(root: YamlValue): Find {
  const known = new Map<unknown, ReadonlyMap<string, YamlValue>>();
  const getChildren = (value: YamlValue) => {
    const found = known.get(value.node);
    if (found) return found;
    const children = new Map(getEntries(value).map((entry) => [entry.key, entry.value]));
    known.set(value.node, children);
    return children;
  };
  return (path) => path.reduce<YamlValue | undefined>((at, key) => at && getChildren(at).get(key), root);
}
