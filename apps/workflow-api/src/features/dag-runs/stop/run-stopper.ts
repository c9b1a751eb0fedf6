import {
  isAbortedRun,
  isActiveRun,
  isWaitingNode,
  isWaitingRun,
  nodeKey,
  type DagRunSummary,
} from '@weir/workflow-engine';
import type { Clock } from '../../../adapters/clock';
import { dagRunNotQueued, dagRunNotRunning } from '../dag-run-errors';
import type { DagRunRepository, StopOutcome } from '../storage/dag-run-repository';

export interface RunStopperDependencies {
  readonly runs: Pick<DagRunRepository, 'dequeue' | 'requestStop' | 'findById' | 'listChildren' | 'listAllSteps'>;
  readonly clock: Clock;
  /** Told after a request was stored: the run may be carried out in this process. */
  readonly onRequested: (id: string) => unknown;
}

export type RunStopper = ReturnType<typeof createRunStopper>;
type StoppedRun = Pick<DagRunSummary, 'id' | 'dagRunId'>;

const stepError = 'run stopped';

export function createRunStopper({ runs, clock, onRequested }: RunStopperDependencies) {
  const end = () => ({ at: clock.now(), error: stepError });
  const request = async (id: string): Promise<StopOutcome> => {
    const outcome = await runs.requestStop(id, end());
    if (outcome === 'requested') onRequested(id);
    if (outcome === 'requested') await requestWaiting(id);
    if (outcome === 'aborted') await requestChildren(id);
    return outcome;
  };
  const requestChildren = async (
    id: string,
    matches: (child: DagRunSummary) => boolean = () => true,
  ): Promise<void> => {
    const children = (await runs.listChildren(id)).filter(({ status }) => isActiveRun(status));
    for (const child of children.filter(matches)) await request(child.id);
  };
  /** The owner ends what its steps are at work for, and does not look at what waits, or waited, for a person. */
  const requestWaiting = async (id: string): Promise<void> => {
    const waiting = new Set((await runs.listAllSteps(id)).filter(({ status }) => isWaitingNode(status)).map(nodeKey));
    await requestChildren(id, ({ status, parentNode }) => isWaitingRun(status) || waiting.has(parentNode ?? ''));
  };
  return {
    /**
     * Aborts a run that nobody carries out yet; of a running one the request is stored before its owner is told, so
     * that it outlives the owner. A failed one is not tried again by itself. Does nothing about others that have ended.
     */
    ask: request,

    /** The same; throws `not_running` for a run that has ended otherwise than by a stop. */
    async stop({ id, dagRunId }: StoppedRun): Promise<'aborted' | 'requested'> {
      const outcome = await request(id);
      if (outcome !== 'ended') return outcome;
      if (!isStopped(await runs.findById(id))) throw dagRunNotRunning(dagRunId);
      // Whoever stopped it may have died before those below it were asked.
      await requestChildren(id);
      return 'aborted';
    },

    /** Throws `not_queued`. Doing it again is no mistake. */
    async dequeue({ id, dagRunId }: StoppedRun): Promise<void> {
      if (await runs.dequeue(id, end())) return requestChildren(id);
      const run = await runs.findById(id);
      // One that has begun and was stopped then was in the queue no more.
      if (!isStopped(run) || run?.startedAt !== null) throw dagRunNotQueued(dagRunId);
      await requestChildren(id);
    },
  };
}

function isStopped(run: DagRunSummary | undefined): boolean {
  return run !== undefined && isAbortedRun(run.status);
}
