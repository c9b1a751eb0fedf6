import type { Dag, ParamDef, ResolvedParam } from '../dag';
import { quote } from '../quote';
import { readGivenParams } from './given-params';
import { paramNamePattern, type ParamWord } from './param-words';
import { checkParamValue } from './param-value';

/** `problems` are sentences that name the parameter; a run may start when there are none. */
export interface ResolvedParams {
  readonly params: readonly ResolvedParam[];
  readonly problems: readonly string[];
}

/**
 * The parameters of a run: what was given, else the defaults, in the order of the declaration, then what was given
 * under other names. `given` is JSON object or array text, or words such as `region=eu "two words"`; values are
 * literal. A parameter without value and without default is not in the result.
 */
export function resolveParams(dag: Pick<Dag, 'params'>, given: string | undefined): ResolvedParams {
  const words = readGivenParams(given ?? '');
  if ('problem' in words) return { params: [], problems: [words.problem] };
  const labelled = withPositions(dag.params);
  const positions = labelled.filter(({ definition }) => definition.name === undefined).length;
  const { values, problems } = collect(words, positions);
  const params: ResolvedParam[] = [];
  for (const { definition, name } of labelled) {
    const resolved = resolveOne(definition, name, values.get(name));
    values.delete(name);
    if (resolved && 'problem' in resolved) problems.push(resolved.problem);
    else if (resolved) params.push(resolved);
  }
  for (const [name, value] of values) params.push({ name, value });
  return { params, problems };
}

/** Each declared parameter with its name, which is its position when it has none. */
function withPositions(definitions: readonly ParamDef[]) {
  let position = 0;
  return definitions.map((definition) => {
    if (definition.name === undefined) position += 1;
    return { definition, name: definition.name ?? String(position) };
  });
}

function collect(words: readonly ParamWord[], positions: number) {
  const values = new Map<string, string>();
  const problems: string[] = [];
  let position = 0;
  for (const { name, value } of words) {
    if (name === undefined) position += 1;
    const key = name ?? String(position);
    if (value.includes('\0')) problems.push(`parameter ${quote(key)} contains a NUL character`);
    else if (name === undefined ? position <= positions : isUsable(name, positions)) values.set(key, value);
    else if (name !== undefined)
      problems.push(
        `parameter ${quote(name)} is not a name of letters, digits and underscores, or a declared position`,
      );
  }
  if (position > positions) {
    problems.push(`too many positional parameters: ${position} given, ${positions} declared`);
  }
  return { values, problems };
}

function isUsable(name: string, positions: number): boolean {
  return paramNamePattern.test(name) || (/^[1-9]\d*$/.test(name) && Number(name) <= positions);
}

function resolveOne(definition: ParamDef, name: string, given: string | undefined) {
  const value = given ?? (definition.default === undefined ? undefined : String(definition.default));
  if (value === undefined) {
    return definition.required ? { problem: `parameter ${quote(name)} is required` } : undefined;
  }
  const checked = checkParamValue(definition, value, quote(name));
  return 'problem' in checked ? checked : { name, value };
}
