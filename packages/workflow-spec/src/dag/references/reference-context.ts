import { authoredSteps, findAgent } from '../../model/agent';
import type { Step } from '../../model/step';
import type { Dag } from '../../model/dag';
import { nameParams } from '../../values/params/name-params';
import { createUpstream } from '../../steps/scope/upstream';

/** Steps that can refer to each other: those of a DAG, or of one loop. */
export interface StepScope {
  readonly byId: ReadonlyMap<string, Step>;
  readonly byName: ReadonlyMap<string, Step>;
  readonly isUpstream: (name: string, before: string) => boolean;
}

/** The values that a string may refer to, depending on its location. */
export interface ReferenceContext {
  readonly dag: Dag;
  /**
   * `settings`: used by the whole DAG; `later`: settings used by steps or at the end of a run; `collect`: read when
   * an iteration of a loop has ended; `literal`: nothing is replaced.
   */
  readonly kind: 'settings' | 'later' | 'handler' | 'step' | 'collect' | 'literal';
  readonly stepScope: StepScope;
  readonly step?: Step | undefined;
  /** Whether the string is used after the step has ended, so that it may refer to the step itself. */
  readonly hasEnded?: boolean;
  /** The context around the loop. */
  readonly outer?: ReferenceContext | undefined;
  /** Item names of the enclosing loops. */
  readonly items: ReadonlySet<string>;
  readonly params: ReadonlySet<string>;
  readonly consts: ReadonlySet<string>;
  readonly variables: Names;
}

type Names = Pick<ReadonlySet<string>, 'has'>;

export function createStepScope(steps: readonly Step[]): StepScope {
  return {
    byId: new Map(steps.flatMap((step) => (step.id === undefined ? [] : [[step.id, step] as const]))),
    byName: new Map(steps.map((step) => [step.name, step])),
    isUpstream: createUpstream(steps),
  };
}

/** A model decides the order of the steps of an agent: each may have ended before any other one. */
function dagScope(dag: Dag): StepScope {
  const scope = createStepScope(authoredSteps(dag));
  return findAgent(dag) === undefined ? scope : { ...scope, isUpstream: () => true };
}

export function settingsContext(dag: Dag): ReferenceContext {
  return {
    dag,
    kind: 'settings',
    stepScope: dagScope(dag),
    items: new Set(),
    params: new Set(nameParams(dag.params).map(({ name }) => name)),
    consts: new Set((dag.consts ?? []).map(({ name }) => name)),
    variables: listVariables(dag),
  };
}

/** `context` is the context of the steps that the step belongs to. */
export function stepContext(context: ReferenceContext, step: Step | undefined): ReferenceContext {
  const own = new Set((step?.env ?? []).map(({ name }) => name));
  const variables: Names = { has: (name) => own.has(name) || context.variables.has(name) };
  return { ...context, kind: context.kind === 'handler' ? 'handler' : 'step', step, variables };
}

/** `context` is the context of the loop step. */
export function loopContext(context: ReferenceContext): ReferenceContext {
  const run = context.step?.run;
  if (run?.kind !== 'foreach') return context;
  return {
    ...context,
    outer: context,
    stepScope: createStepScope(run.steps),
    items: new Set([...context.items, run.as, 'index', 'key']),
  };
}

/** Lists the variables before the entries of the DAG, as far as the file shows them. */
export function listEarlierVariables({ params, env }: Dag): ReadonlySet<string> {
  const names = env.map(({ name }) => name);
  // The base configuration, whose entries come first, may also define a name that occurs twice.
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return new Set([...params.flatMap(({ name }) => name ?? []), ...repeated]);
}

/** Lists all variables that a step may have, as far as the file shows them. */
function listVariables({ env, params, secrets, steps }: Dag): ReadonlySet<string> {
  return new Set([
    ...env.map(({ name }) => name),
    ...params.flatMap(({ name }) => name ?? []),
    ...(secrets ?? []).map(({ name }) => name),
    ...authoredSteps({ steps }).flatMap(({ output }) => (output?.kind === 'variable' ? [output.name] : [])),
  ]);
}

export type Relation = 'self' | 'upstream' | 'other';

interface FoundStep {
  readonly step: Step;
  readonly relation: Relation;
  /** The step that waits for it only because it reads its output: the current one, or a loop around it. */
  readonly waiting?: Step | undefined;
}

/** Finds a step by ID and its relation to the current step; searches the loop first, then the steps around it. */
export function findStep(context: ReferenceContext, id: string): FoundStep | undefined {
  const step = context.stepScope.byId.get(id);
  if (!step) return context.outer && findStep(context.outer, id);
  if (context.kind === 'collect') return { step, relation: 'upstream' };
  if (context.step?.name === step.name) return { step, relation: context.hasEnded ? 'upstream' : 'self' };
  const isBefore = context.step !== undefined && context.stepScope.isUpstream(context.step.name, step.name);
  const waiting = context.step?.inferred?.includes(step.name) === true ? context.step : undefined;
  return { step, relation: isBefore ? 'upstream' : 'other', waiting };
}

/** Yields the IDs in scope. */
export function* stepIds(context: ReferenceContext): Generator<string> {
  yield* context.stepScope.byId.keys();
  if (context.outer) yield* stepIds(context.outer);
}

export function listOutputs({ run, output, outputs, targets }: Step): {
  readonly names: readonly string[];
  readonly isOpen: boolean;
} {
  const fields = output?.kind === 'fields' ? output.fields.map(({ name }) => name) : [];
  const collected = run.kind === 'foreach' ? run.collect.map(({ name }) => name) : [];
  const names = [...[...(outputs ?? []), ...(targets ?? [])].map(({ name }) => name), ...fields, ...collected];
  // An action may publish further outputs, and `output: NAME` can be read by that name.
  return { names, isOpen: run.kind === 'action' || output?.kind === 'variable' };
}
