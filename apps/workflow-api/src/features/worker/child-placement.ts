import type { ChildRuns } from '@weir/workflow-engine';
import { matchesSelector, type DagRun, type WorkerLabels } from '@weir/workflow-engine/model';
import type { QueueClaim } from '../queue/store';

/** Stores and finds the runs that steps start; the worker executes them. */
export interface StoredChildRuns extends Omit<ChildRuns, 'execute' | 'retry' | 'isPlacedHere'> {
  /** Stores the retry, which is queued without an owner. Throws `dag_run_active` and `nothing_to_retry`. */
  retry(run: DagRun, ownerId: string | undefined): Promise<void>;
}

export interface ChildPlacementOptions {
  readonly children: StoredChildRuns;
  readonly labels: WorkerLabels;
  /** Whether workers of other machines may claim its child runs. */
  readonly isShared: boolean;
}

/** The runs that execute in this worker. */
export interface ExecutingRuns {
  /** Whether the worker executes runs that it was not told to. */
  readonly isOpen: boolean;
  start(claim: QueueClaim): Promise<void>;
  /** A run takes up no capacity until the returned function is called. */
  pause(id: string): () => void;
}

/**
 * Places the child runs of this worker's runs. The worker executes them itself, unless they need labels that it does
 * not have, or others may help with those of a parallel step: then they are queued, and this worker may claim them
 * like any other.
 */
export function createChildPlacement(
  { children, labels, isShared }: ChildPlacementOptions,
  executing: ExecutingRuns,
): ChildRuns {
  const parents = new Map<string, string>();
  return {
    ...children,
    isPlacedHere: (selector, { isOneOfMany }) =>
      matchesSelector(selector, labels) && !(isOneOfMany && isShared && executing.isOpen),
    start: async (source, start) => {
      const run = await children.start(source, start);
      if (start.ownerId === undefined && start.parent !== undefined) parents.set(run.id, start.parent.id);
      return run;
    },
    execute: ({ id, fencingToken }) => executing.start({ runId: id, token: fencingToken }),
    retry: async (run, ownerId) => {
      const isHere = matchesSelector(run.workerSelector, labels);
      await children.retry(run, isHere ? ownerId : undefined);
      if (isHere) return { ended: executing.start({ runId: run.id, token: run.fencingToken + 1 }) };
      if (run.parentId !== null) parents.set(run.id, run.parentId);
      return { ended: Promise.resolve() };
    },
    waitFor: async (id, isReached, signal) => {
      const parent = parents.get(id);
      if (parent === undefined) return children.waitFor(id, isReached, signal);
      // Otherwise runs that wait for their child runs could occupy all workers that would execute these.
      const resume = executing.pause(parent);
      try {
        return await children.waitFor(id, isReached, signal);
      } finally {
        resume();
        parents.delete(id);
      }
    },
  };
}
