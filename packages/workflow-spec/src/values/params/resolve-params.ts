import type { ParamDef, ResolvedParam } from '../../model/param';
import type { Dag } from '../../model/dag';
import { quote } from '../../source/text/quote';
import { createSuggest, didYouMean } from '../../source/text/suggest';
import { parseGivenParams } from './parse-given-params';
import { paramNamePattern, type ParamWord } from './param-words';
import { checkParamValue } from './param-value';
import { isOpen } from './schema-param';
import { nameParams, type NamedParam } from './name-params';

/** A parameter whose value is evaluated when the run starts. */
export interface PendingParam {
  readonly name: string;
  readonly eval: string;
}

/** `problems` are sentences that name the parameter; a run may start when there are none. */
export interface ResolvedParams {
  readonly params: readonly ResolvedParam[];
  /** The parameters in order of declaration; see {@link completeParams}. */
  readonly evals: readonly PendingParam[];
  readonly problems: readonly string[];
}

/** The result of evaluating the `eval` of one parameter. */
export type EvaluatedParam = { readonly value: string } | { readonly failure: string };

type ParamSource = Pick<Dag, 'params' | 'paramSchema'>;

/** The parameters that a webhook or a trigger gives to the run that it starts, for any declarations of the DAG. */
const managedNames = [
  'WEBHOOK_PAYLOAD',
  'WEBHOOK_HEADERS',
  'WEIR_TRIGGER_FILE',
  'WEIR_TRIGGER_FILES',
  'WEIR_TRIGGER_EVENT',
];

/**
 * Resolves the parameters of a run in order of declaration, each as given or with its default, followed by given
 * parameters that are not declared, where the DAG declares no names or its schema permits others. `given` is a JSON
 * object or array, or words such as `region=eu "two words"`; values are literal. Parameters without a value, and
 * those listed in `evals`, are not in `params`.
 */
export function resolveParams(dag: ParamSource, given: string | undefined): ResolvedParams {
  const words = parseGivenParams(given ?? '');
  if ('problem' in words) return { params: [], evals: [], problems: [words.problem] };
  const labelled = nameParams(dag.params);
  const { values, problems } = collectValues(words, labelled, { takesAny: takesAnyValues(dag) });
  const params: ResolvedParam[] = [];
  const evals: PendingParam[] = [];
  for (const { definition, name } of labelled) {
    const value = values.get(name);
    values.delete(name);
    if (value === undefined && definition.eval !== undefined) {
      evals.push({ name, eval: definition.eval });
      continue;
    }
    const resolved = resolveParam(definition, name, value);
    if (resolved && 'problem' in resolved) problems.push(resolved.problem);
    else if (resolved) params.push(resolved);
  }
  for (const name of managedNames) {
    const value = values.get(name);
    values.delete(name);
    if (value !== undefined) params.push({ name, value, undeclared: true });
  }
  if (rejectsUndeclared(dag)) problems.push(...describeUndeclared(values.keys(), labelled));
  else for (const [name, value] of values) params.push({ name, value, undeclared: true });
  return { params, evals, problems };
}

/**
 * Continues {@link resolveParams} after some parameters with `eval` were evaluated; `evaluated` is keyed by name. A
 * failed evaluation falls back to the default, else it is a problem. `evals` are the remaining ones, in order, so
 * that each may use those before it. `stored` are the parameters that the run already has; they are never evaluated
 * again.
 */
export function completeParams(
  dag: ParamSource,
  stored: readonly ResolvedParam[],
  evaluated: ReadonlyMap<string, EvaluatedParam>,
): ResolvedParams {
  const known = new Map(stored.map((param) => [param.name, param]));
  const params: ResolvedParam[] = [];
  const evals: PendingParam[] = [];
  const problems: string[] = [];
  for (const { definition, name } of nameParams(dag.params)) {
    const has = known.get(name);
    const outcome = evaluated.get(name);
    if (has) params.push(has);
    else if (definition.eval === undefined) continue;
    else if (!outcome) evals.push({ name, eval: definition.eval });
    else {
      const completed = completeParam(definition, name, outcome);
      if ('problem' in completed) problems.push(completed.problem);
      else params.push(completed);
    }
  }
  const declared = new Set(params.map(({ name }) => name));
  return { params: [...params, ...stored.filter(({ name }) => !declared.has(name))], evals, problems };
}

/**
 * Returns the parameters that may become environment variables. Undeclared names are excluded, because callers could
 * otherwise set PATH.
 */
export function declaredParams(dag: ParamSource, params: readonly ResolvedParam[]): readonly ResolvedParam[] {
  const names = new Set(dag.params.map(({ name }) => name));
  // The parameters of an external schema were determined when the run was created.
  const isElsewhere = dag.paramSchema !== undefined && dag.paramSchema.kind !== 'inline';
  return params.filter(({ name, undeclared }) => names.has(name) || (isElsewhere && undeclared !== true));
}

/** Returns the values of the positional parameters in order: `$1`, `$2`, … */
export function positionalParams(dag: Pick<Dag, 'params'>, params: readonly ResolvedParam[]): readonly string[] {
  if (dag.params.length === 0) return params.filter(({ name }) => isPosition(name)).map(({ value }) => value);
  const values = new Map(params.map(({ name, value }) => [name, value]));
  return dag.params.filter(({ name }) => name === undefined).map((_, index) => values.get(String(index + 1)) ?? '');
}

/** A DAG without parameters takes any values by their positions: they are `$1`, `$2`, … of its commands. */
function takesAnyValues({ params, paramSchema }: ParamSource): boolean {
  return params.length === 0 && paramSchema === undefined;
}

function isPosition(name: string): boolean {
  return /^[1-9]\d*$/.test(name);
}

/**
 * A DAG that names some parameters has named them all, unless its schema permits others. Positional parameters have
 * no names, so they reject none.
 */
function rejectsUndeclared({ params, paramSchema }: ParamSource): boolean {
  if (paramSchema?.kind === 'inline') return !isOpen(paramSchema.schema);
  return params.some(({ name }) => name !== undefined);
}

function describeUndeclared(names: Iterable<string>, declared: readonly NamedParam[]): readonly string[] {
  const suggest = createSuggest();
  const known = declared.map(({ name }) => name);
  return [...names].map(
    (name) => `parameter ${quote(name)} is not declared by the DAG${didYouMean(suggest(name, known))}`,
  );
}

function completeParam(
  definition: ParamDef,
  name: string,
  outcome: EvaluatedParam,
): ResolvedParam | { readonly problem: string } {
  if ('value' in outcome) {
    const checked = checkParamValue(definition, outcome.value, quote(name));
    return 'problem' in checked ? checked : { name, value: outcome.value };
  }
  if (definition.default !== undefined) return { name, value: String(definition.default) };
  return { problem: `parameter ${quote(name)} could not be evaluated: ${outcome.failure}` };
}

function collectValues(
  words: readonly ParamWord[],
  declared: readonly NamedParam[],
  { takesAny }: { readonly takesAny: boolean },
) {
  const values = new Map<string, string>();
  const problems: string[] = [];
  const positional = declared.filter(({ definition }) => definition.name === undefined);
  // A DAG whose parameters all have names takes values by position in the order of their declaration.
  const order = (positional.length > 0 ? positional : declared).map(({ name }) => name);
  const named = new Set(words.map(({ name }) => name));
  let position = 0;
  for (const { name, value } of words) {
    const key = name ?? order[position] ?? (takesAny ? String(position + 1) : undefined);
    if (name === undefined) position += 1;
    if (key === undefined) continue;
    if (value.includes('\0')) problems.push(`parameter ${quote(key)} contains a NUL character`);
    else if (name === undefined && named.has(key))
      problems.push(`parameter ${quote(key)} is given by position and by name`);
    else if (name === undefined || isUsable(name, positional.length)) values.set(key, value);
    else
      problems.push(
        `parameter ${quote(name)} must be named with letters, digits and underscores, or be a declared position`,
      );
  }
  if (position > order.length && !takesAny) {
    problems.push(`too many positional parameters: ${position} given, ${order.length} declared`);
  }
  return { values, problems };
}

function isUsable(name: string, positions: number): boolean {
  return paramNamePattern.test(name) || (isPosition(name) && Number(name) <= positions);
}

function resolveParam(definition: ParamDef, name: string, given: string | undefined) {
  const value = given ?? (definition.default === undefined ? undefined : String(definition.default));
  if (value === undefined) {
    return definition.required ? { problem: `parameter ${quote(name)} is required` } : undefined;
  }
  const checked = checkParamValue(definition, value, quote(name));
  return 'problem' in checked ? checked : { name, value };
}
