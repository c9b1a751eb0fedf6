import { AppError } from '@weir/foundation';
import type { DagRun, RunStatus, Timer } from '@weir/workflow-engine/model';
import { pause } from '../../../adapters/pause';
import type { DagRunRepository } from '../store/dag-run-repository';

export interface RunWaiterDependencies {
  readonly runs: Pick<DagRunRepository, 'findById' | 'subscribe'>;
  readonly timer: Timer;
}

/**
 * Commits of this process are announced; those of others are found by polling, first after 250 ms, then half as long
 * again each time, up to 5 s.
 *
 * Resolves with the run once `isReached` accepts its status, which must be that of a run that has ended or waits.
 * Rejects with the reason of the signal, or with `not_found` when the run is deleted.
 */
export type WaitForRun = (
  id: string,
  isReached: (status: RunStatus) => boolean,
  signal: AbortSignal,
) => Promise<DagRun>;

const firstPollMs = 250;
const longestPollMs = 5_000;

export function createRunWaiter({ runs, timer }: RunWaiterDependencies): WaitForRun {
  return async (id, isReached, signal) => {
    let notified = new AbortController();
    let pollMs = firstPollMs;
    const unsubscribe = runs.subscribe(id, () => notified.abort());
    try {
      for (;;) {
        // Replaced before the read, so that a commit during the read ends the following pause.
        notified = new AbortController();
        const run = await runs.findById(id);
        if (run === undefined) throw new AppError('not_found', 'The run that was started does not exist any more.');
        if (isReached(run.status)) return run;
        signal.throwIfAborted();
        await pause(timer, pollMs, AbortSignal.any([signal, notified.signal]));
        signal.throwIfAborted();
        pollMs = Math.min(pollMs * 1.5, longestPollMs);
      }
    } finally {
      unsubscribe();
    }
  };
}
