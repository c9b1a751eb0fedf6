import type { Step } from '../canonical/step';
import type { Dag } from '../dag';
import { withPositions } from '../params/with-positions';
import { createUpstream } from '../steps/upstream';

/** Steps that can refer to each other: those of a DAG, or those of one loop. */
export interface StepGroup {
  readonly byId: ReadonlyMap<string, Step>;
  readonly byName: ReadonlyMap<string, Step>;
  readonly isUpstream: (name: string, before: string) => boolean;
}

/** What a text may refer to, from where it stands. */
export interface ReferencePlace {
  readonly dag: Dag;
  /**
   * `settings` are those of the whole DAG, and `later` those that steps or the end of a run make use of; `collect` is
   * read when a turn of the loop has ended.
   */
  readonly kind: 'settings' | 'later' | 'handler' | 'step' | 'collect';
  readonly group: StepGroup;
  readonly step?: Step | undefined;
  /** Whether the text is used when the step has done its work, so that it may refer to itself. */
  readonly hasEnded?: boolean;
  /** Around the loop that the step is in. */
  readonly outer?: ReferencePlace | undefined;
  /** Names of the items of the loops around the text. */
  readonly items: ReadonlySet<string>;
  readonly params: ReadonlySet<string>;
  readonly consts: ReadonlySet<string>;
  readonly variables: Names;
}

type Names = Pick<ReadonlySet<string>, 'has'>;

export function stepGroup(steps: readonly Step[]): StepGroup {
  return {
    byId: new Map(steps.flatMap((step) => (step.id === undefined ? [] : [[step.id, step] as const]))),
    byName: new Map(steps.map((step) => [step.name, step])),
    isUpstream: createUpstream(steps),
  };
}

/** Where the settings of a DAG stand. */
export function settingsPlace(dag: Dag): ReferencePlace {
  return {
    dag,
    kind: 'settings',
    group: stepGroup(dag.steps),
    items: new Set(),
    params: new Set(withPositions(dag.params).map(({ name }) => name)),
    consts: new Set((dag.consts ?? []).map(({ name }) => name)),
    variables: variablesOf(dag),
  };
}

/** Where one step stands; `place` is that of the steps it is among. */
export function stepPlace(place: ReferencePlace, step: Step | undefined): ReferencePlace {
  const own = new Set((step?.env ?? []).map(({ name }) => name));
  const variables: Names = { has: (name) => own.has(name) || place.variables.has(name) };
  return { ...place, kind: place.kind === 'handler' ? 'handler' : 'step', step, variables };
}

/** Where the steps of a loop stand; `place` is that of the step which is the loop. */
export function bodyPlace(place: ReferencePlace): ReferencePlace {
  const run = place.step?.run;
  if (run?.kind !== 'foreach') return place;
  return { ...place, outer: place, group: stepGroup(run.steps), items: new Set([...place.items, run.as]) };
}

/** Whatever a step of the DAG may find in its environment, as far as the file tells. */
function variablesOf({ env, params, secrets, steps }: Dag): ReadonlySet<string> {
  return new Set([
    ...env.map(({ name }) => name),
    ...params.flatMap(({ name }) => name ?? []),
    ...(secrets ?? []).map(({ name }) => name),
    ...steps.flatMap(({ output }) => (output?.kind === 'variable' ? [output.name] : [])),
  ]);
}

export type Relation = 'self' | 'upstream' | 'other';

/** The step of an ID, and how it stands to the text: looked for in the loop first, then around it. */
export function findStep(
  place: ReferencePlace,
  id: string,
): { readonly step: Step; readonly relation: Relation } | undefined {
  const step = place.group.byId.get(id);
  if (!step) return place.outer && findStep(place.outer, id);
  if (place.kind === 'collect') return { step, relation: 'upstream' };
  if (place.step?.name === step.name) return { step, relation: place.hasEnded ? 'upstream' : 'self' };
  const isBefore = place.step !== undefined && place.group.isUpstream(place.step.name, step.name);
  return { step, relation: isBefore ? 'upstream' : 'other' };
}

/** The IDs that a text could have meant. */
export function* stepIds(place: ReferencePlace): Generator<string> {
  yield* place.group.byId.keys();
  if (place.outer) yield* stepIds(place.outer);
}

/** The names of a step's outputs, and whether there can be others. */
export function outputsOf({ run, output, outputs }: Step): {
  readonly names: readonly string[];
  readonly isOpen: boolean;
} {
  const fields = output?.kind === 'fields' ? output.fields.map(({ name }) => name) : [];
  const collected = run.kind === 'foreach' ? run.collect.map(({ name }) => name) : [];
  const names = [...(outputs ?? []).map(({ name }) => name), ...fields, ...collected];
  // An action may publish outputs of its own, and `output: NAME` may be read by that name.
  return { names, isOpen: run.kind === 'action' || output?.kind === 'variable' };
}
