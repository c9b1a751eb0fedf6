import { isAbortedRun } from '@weir/workflow-engine';
import type { Clock } from '../../adapters/clock';
import type { DagRunSummary } from './dag-run';
import { dagRunNotQueued, dagRunNotRunning } from './dag-run-errors';
import type { DagRunRepository, StopOutcome } from './dag-run-repository';

export interface RunStopperDependencies {
  readonly runs: Pick<DagRunRepository, 'dequeue' | 'requestStop' | 'findById'>;
  readonly clock: Clock;
  /** Told after a request was stored: the run may be carried out in this process. */
  readonly onRequested: (id: string) => unknown;
}

export type RunStopper = ReturnType<typeof createRunStopper>;
type StoppedRun = Pick<DagRunSummary, 'id' | 'dagRunId'>;

const stepError = 'run stopped';

export function createRunStopper({ runs, clock, onRequested }: RunStopperDependencies) {
  const end = () => ({ at: clock.now(), error: stepError });
  const ask = async (id: string): Promise<StopOutcome> => {
    const outcome = await runs.requestStop(id, end());
    if (outcome === 'requested') onRequested(id);
    return outcome;
  };
  return {
    /**
     * Aborts a run that nobody carries out yet; of a running one the request is stored before its owner is told, so
     * that it outlives the owner. Does nothing about a run that has ended.
     */
    ask,

    /** The same; throws `not_running` for a run that has ended otherwise than by a stop. */
    async stop({ id, dagRunId }: StoppedRun): Promise<'aborted' | 'requested'> {
      const outcome = await ask(id);
      if (outcome !== 'ended') return outcome;
      if (isStopped(await runs.findById(id))) return 'aborted';
      throw dagRunNotRunning(dagRunId);
    },

    /** Throws `not_queued`. Doing it again is no mistake. */
    async dequeue({ id, dagRunId }: StoppedRun): Promise<void> {
      if (await runs.dequeue(id, end())) return;
      const run = await runs.findById(id);
      // One that has begun and was stopped then was in the queue no more.
      if (!isStopped(run) || run?.startedAt !== null) throw dagRunNotQueued(dagRunId);
    },
  };
}

function isStopped(run: DagRunSummary | undefined): boolean {
  return run !== undefined && isAbortedRun(run.status);
}
