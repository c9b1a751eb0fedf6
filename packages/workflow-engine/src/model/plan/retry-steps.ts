import type { Step } from '@weir/workflow-spec';
import type { Plan } from './plan';
import { nodeStatus, type NodeStatus } from '../statuses/node-status';

export interface RetryChoice {
  /** Index of the only step to execute again; every step that did not pass when missing. */
  readonly only?: number;
  /** Whether the steps that depend on that one execute again, too. */
  readonly downstream?: boolean;
}

/**
 * The steps that a retry executes again, in the order of the plan: those that did not pass and all that depend on them.
 * The others keep their end.
 */
export function stepsToRetry(
  plan: Plan,
  statuses: readonly NodeStatus[],
  { only, downstream = false }: RetryChoice = {},
): readonly number[] {
  if (only !== undefined && !downstream) return [only];
  const starts = only === undefined ? [...statuses.keys()].filter((index) => needsRetry(statuses[index])) : [only];
  const routers = findRouters(plan);
  const isUnrouted = (chosen: ReadonlySet<number>, index: number): boolean => {
    const router = routers.get(index);
    return router !== undefined && !chosen.has(router) && isSkipped(statuses[index]);
  };
  const excluded = new Set<number>();
  for (;;) {
    const chosen = withDependents(plan, starts, excluded);
    // Another way was chosen, and that choice stays: each time fewer are left.
    const unrouted = [...chosen].filter((index) => isUnrouted(chosen, index) && !starts.includes(index));
    if (unrouted.length === 0) return [...chosen].sort((left, right) => left - right);
    for (const index of unrouted) excluded.add(index);
  }
}

function withDependents({ dependents }: Plan, starts: readonly number[], excluded: ReadonlySet<number>): Set<number> {
  const chosen = new Set(starts);
  // The set grows while it is walked.
  for (const index of chosen) {
    for (const dependent of dependents[index] ?? []) if (!excluded.has(dependent)) chosen.add(dependent);
  }
  return chosen;
}

/** Of each step that a router chooses or passes over: that router. A step belongs to one route of one router. */
function findRouters({ steps }: Plan): ReadonlyMap<number, number> {
  const named = [...steps.entries()].map(([index, { name }]) => [name, index] as const);
  const identified = [...steps.entries()].flatMap(([index, { id }]) =>
    id === undefined ? [] : [[id, index] as const],
  );
  const indexes = new Map([...named, ...identified]);
  return new Map(
    [...steps.entries()].flatMap(([router, step]) =>
      readRouteTargets(step).flatMap((target) => {
        const index = indexes.get(target);
        return index === undefined ? [] : [[index, router] as const];
      }),
    ),
  );
}

function readRouteTargets({ run }: Step): readonly string[] {
  const routes = run.kind === 'action' && run.action === 'router.route' ? run.with.routes : undefined;
  if (typeof routes !== 'object' || routes === null) return [];
  return Object.values(routes)
    .flat()
    .filter((target) => typeof target === 'string');
}

function needsRetry(status: NodeStatus | undefined): boolean {
  return status !== undefined && !(nodeStatus.isTerminal(status) && nodeStatus.isPassed(status));
}

function isSkipped(status: NodeStatus | undefined): boolean {
  return status !== undefined && nodeStatus.isSkipped(status);
}
