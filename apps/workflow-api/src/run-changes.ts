import type { DagRunRepository } from './features/dag-runs';
import type { QueueDriver } from './features/queue';
import { createListeners, type Listeners } from './listeners';

/** A run that this process has changed, or some run of another process. */
export interface RunChange {
  readonly runId: string;
}

interface Stores {
  readonly runs: DagRunRepository;
  readonly queue: QueueDriver<never>;
}

/** The same with stores that announce each change after it was stored. */
export function announceRunChanges<Given extends Stores>(
  given: Given,
): Given & { readonly runChanges: Listeners<RunChange> } {
  const { runs, queue } = given;
  const runChanges = createListeners<RunChange>();
  const { announce } = runChanges;
  const after = async <T>(runId: string, work: Promise<T>): Promise<T> => {
    const result = await work;
    if (result !== false && result !== undefined) announce({ runId });
    return result;
  };
  return {
    ...given,
    runChanges,
    runs: {
      ...runs,
      insert: async (run, steps, options) => {
        await runs.insert(run, steps, options);
        announce({ runId: run.id });
        if (run.parentId !== null) announce({ runId: run.parentId });
      },
      apply: (id, event) => after(id, runs.apply(id, event)),
      record: (id, lease, changes, end) => after(id, runs.record(id, lease, changes, end)),
      storeParams: (id, lease, params) => after(id, runs.storeParams(id, lease, params)),
      addSteps: (id, lease, steps) => after(id, runs.addSteps(id, lease, steps)),
      remove: (id) => after(id, runs.remove(id)),
    },
    queue: {
      ...queue,
      claim: async (request) => {
        const claim = await queue.claim(request);
        if (claim !== undefined) announce(claim);
        return claim;
      },
      fail: (claim, retryAt) => after(claim.runId, queue.fail(claim, retryAt)),
    },
  };
}
