import type { GraphDirection, GraphLayout } from '@weir/ui-kit/graph-layout';
import type { GraphStep } from './graph-step';

/** An item of the drawn graph: a step, or many similar steps that are folded into one. */
export interface GraphItem {
  /** The name of the step, or of the first one. */
  readonly id: string;
  readonly names: readonly string[];
  /** Ids of items. */
  readonly depends: readonly string[];
  readonly kind?: string | undefined;
}

/** Returns the name of a step, or for a stack what its steps have in common and their number: `table_* ×40`. */
export function titleOf({ id, names }: Pick<GraphItem, 'id' | 'names'>): string {
  if (names.length === 1) return id;
  let [start, end] = [0, 0];
  while (names.every((name) => name.length > start && name[start] === id[start])) start += 1;
  while (names.every((name) => name.length > start + end && name.at(-1 - end) === id.at(-1 - end))) end += 1;
  const common = start + end === 0 ? `${id} …` : `${id.slice(0, start)}*${id.slice(id.length - end)}`;
  return `${common} ×${names.length}`;
}

/** Items with their positions; both belong together. */
export interface LaidOut {
  readonly items: readonly GraphItem[];
  readonly layout: GraphLayout;
  readonly direction: GraphDirection;
}

export type GraphScope = 'all' | 'upstream' | 'downstream';

export interface GraphFilter {
  readonly scope: GraphScope;
  /** The step that `upstream` and `downstream` start from. */
  readonly origin?: string | undefined;
  /** Steps that are not drawn; their dependents are connected to their dependencies. */
  readonly hidden?: ReadonlySet<string>;
  /** Ids of folded items whose steps are shown separately. */
  readonly unfolded?: ReadonlySet<string>;
}

/** At least this many steps between the same steps are drawn as one. */
export const foldedFrom = 21;

/** Returns the items of the steps that pass the filter, in the order of the steps. */
export function toGraphItems(steps: readonly GraphStep[], filter: GraphFilter): readonly GraphItem[] {
  const shown = hideSteps(limitToScope(steps, filter), filter.hidden ?? new Set());
  return foldSteps(shown, filter.unfolded ?? new Set());
}

/** Returns the dependents of each step, by name. */
export function findDependents(steps: readonly GraphStep[]): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map(steps.map(({ name }) => [name, [] as string[]]));
  for (const { name, depends } of steps) for (const other of depends) dependents.get(other)?.push(name);
  return dependents;
}

function limitToScope(steps: readonly GraphStep[], { scope, origin }: GraphFilter): readonly GraphStep[] {
  if (scope === 'all' || origin === undefined) return steps;
  const dependencies = new Map(steps.map(({ name, depends }) => [name, depends]));
  const neighbours = scope === 'upstream' ? dependencies : findDependents(steps);
  const reached = new Set([origin]);
  for (const name of reached) for (const other of neighbours.get(name) ?? []) reached.add(other);
  return steps.filter(({ name }) => reached.has(name));
}

function hideSteps(steps: readonly GraphStep[], hidden: ReadonlySet<string>): readonly GraphStep[] {
  const visible = steps.filter(({ name }) => !hidden.has(name));
  if (visible.length === steps.length) return steps;
  const byName = new Map(steps.map((step) => [step.name, step]));
  return visible.map((step) => ({ ...step, depends: [...findShown(step, byName, hidden)] }));
}

/** Finds the nearest steps before it that are shown. */
function findShown(
  step: GraphStep,
  byName: ReadonlyMap<string, GraphStep>,
  hidden: ReadonlySet<string>,
): ReadonlySet<string> {
  const shown = new Set<string>();
  const seen = new Set(step.depends);
  for (const name of seen) {
    if (!hidden.has(name)) shown.add(name);
    else for (const other of byName.get(name)?.depends ?? []) seen.add(other);
  }
  return shown;
}

function foldSteps(steps: readonly GraphStep[], unfolded: ReadonlySet<string>): readonly GraphItem[] {
  const dependents = findDependents(steps);
  const placeOf = ({ name, depends }: GraphStep): string =>
    JSON.stringify([[...depends].sort(), [...(dependents.get(name) ?? [])].sort()]);
  const itemOf = new Map<string, string>();
  for (const group of Map.groupBy(steps, placeOf).values()) {
    const [first] = group;
    const isFolded = first !== undefined && group.length >= foldedFrom && !unfolded.has(first.name);
    for (const { name } of group) itemOf.set(name, isFolded ? first.name : name);
  }
  return [...Map.groupBy(steps, ({ name }) => itemOf.get(name) ?? name).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const depends = [...new Set(first.depends.flatMap((name) => itemOf.get(name) ?? []))];
    return [{ id: first.name, names: group.map(({ name }) => name), depends, kind: first.kind }];
  });
}
