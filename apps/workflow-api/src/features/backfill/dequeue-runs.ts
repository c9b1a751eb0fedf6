import { isAppError } from '@weir/foundation';
import { runStatus } from '@weir/workflow-engine/model';
import type { Requester } from '../../access/audited-operation';
import type { DagRunRepository, RunStopper } from '../runs';
import type { Backfill } from './backfill';
import { findOccurrenceRuns } from './occurrence-runs';

interface DequeuePorts extends Requester {
  readonly runs: Pick<DagRunRepository, 'listByRunIds'>;
  readonly stopper: Pick<RunStopper, 'dequeue'>;
}

/** Dequeues the runs that a backfill has started and that are still queued. */
export async function dequeueRuns(
  { runs, stopper, audit, principal }: DequeuePorts,
  { dagName, createdAt, occurrences }: Backfill,
): Promise<void> {
  for (const run of (await findOccurrenceRuns(runs, dagName, occurrences)).values()) {
    if (!runStatus.isQueued(run.status) || run.createdAt < createdAt || run.triggerType !== 'catchup') continue;
    const part = { resourceId: `${dagName}/${run.dagRunId}`, principal };
    await audit
      .inPart(part, (requester) => stopper.dequeue(run, requester.audit))
      .catch((error: unknown) => {
        // A worker has claimed the run meanwhile.
        if (!isAppError(error) || error.reason !== 'not_queued') throw error;
      });
  }
}
