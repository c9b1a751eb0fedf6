import { matchesSelector, type ChildRuns, type DagRun } from '@weir/workflow-engine';
import type { ActiveRuns } from './active-runs';
import type { WorkerIdentity } from './worker-repository';

/** The runs that steps start, but for their execution, which is the worker's. */
export interface StoredChildRuns extends Omit<ChildRuns, 'execute' | 'retry' | 'isPlacedHere'> {
  /** Stores the retry, which is queued without an owner. Throws `dag_run_active` and `nothing_to_retry`. */
  retry(run: DagRun, ownerId: string | undefined): Promise<void>;
}

export interface ChildPlacementOptions {
  readonly children: StoredChildRuns;
  readonly identity: Pick<WorkerIdentity, 'labels'>;
  /** Whether workers of other machines may claim its child runs. */
  readonly isShared: boolean;
}

/**
 * The child runs of the runs of this worker. It executes them itself, unless they need labels that it does not have, or
 * others may help with those of a parallel step: then they are queued, and this worker may claim them like any other.
 */
export function createChildPlacement(
  { children, identity: { labels }, isShared }: ChildPlacementOptions,
  worker: { execute(runId: string, token?: number): Promise<void> },
  active: () => ActiveRuns,
): ChildRuns {
  const parents = new Map<string, string>();
  return {
    ...children,
    isPlacedHere: (selector, { isOneOfMany }) =>
      matchesSelector(selector, labels) && !(isOneOfMany && isShared && active().isOpen),
    start: async (source, start) => {
      const run = await children.start(source, start);
      if (start.ownerId === undefined && start.parent !== undefined) parents.set(run.id, start.parent.id);
      return run;
    },
    execute: ({ id }) => worker.execute(id),
    retry: async (run, ownerId) => {
      const isHere = matchesSelector(run.workerSelector, labels);
      await children.retry(run, isHere ? ownerId : undefined);
      if (isHere) return { ended: worker.execute(run.id, run.fencingToken + 1) };
      if (run.parentId !== null) parents.set(run.id, run.parentId);
      return { ended: Promise.resolve() };
    },
    waitFor: async (id, isReached, signal) => {
      const parent = parents.get(id);
      if (parent === undefined) return children.waitFor(id, isReached, signal);
      // Otherwise runs that wait for their child runs could take up all workers that would execute these.
      const resume = active().pause(parent);
      try {
        return await children.waitFor(id, isReached, signal);
      } finally {
        resume();
        parents.delete(id);
      }
    },
  };
}
