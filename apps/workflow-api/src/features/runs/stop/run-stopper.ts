import {
  runStatus,
  nodeStatus,
  nodeKey,
  transition,
  type DagRunSummary,
  type Clock,
} from '@weir/workflow-engine/model';
import type { AuditedOperation } from '../../../access/audited-operation';
import { dagRunNotQueued, dagRunNotRunning } from '../store/dag-run-errors';
import type { DagRunRepository } from '../store/dag-run-repository';

export interface RunStopperDependencies {
  readonly runs: Pick<DagRunRepository, 'commit' | 'findById' | 'listChildren' | 'listAllSteps'>;
  readonly clock: Clock;
  /** Called after a request was stored: the run may be executing in this process. */
  readonly onRequested: (id: string) => unknown;
}

/** A request to stop aborts a run that is not running, is stored for the owner of a running one, or comes too late. */
type StopOutcome = 'aborted' | 'requested' | 'ended';

export type RunStopper = ReturnType<typeof createRunStopper>;
type StoppedRun = Pick<DagRunSummary, 'id' | 'dagRunId'>;

const stepError = 'run stopped';

export function createRunStopper({ runs, clock, onRequested }: RunStopperDependencies) {
  const end = () => ({ at: clock.now(), error: stepError });
  const request = async (id: string, audit: AuditedOperation): Promise<StopOutcome> => {
    const stored = await runs.commit(id, { kind: 'stop_requested', ...end() }, { audit });
    if (stored === undefined) return 'ended';
    const outcome = stored.patch.status === 'aborted' ? 'aborted' : 'requested';
    if (outcome === 'requested') onRequested(id);
    if (outcome === 'requested') await requestWaiting(id, audit);
    if (outcome === 'aborted') await requestChildren(id, audit);
    return outcome;
  };
  const requestChildren = async (
    id: string,
    audit: AuditedOperation,
    matches: (child: DagRunSummary) => boolean = () => true,
  ): Promise<void> => {
    const children = (await runs.listChildren(id)).filter(({ status }) => runStatus.isActive(status));
    for (const child of children.filter(matches)) await request(child.id, audit);
  };
  /** The owner stops the child runs of its running steps, but not those that wait or waited for a person. */
  const requestWaiting = async (id: string, audit: AuditedOperation): Promise<void> => {
    const waiting = new Set(
      (await runs.listAllSteps(id)).filter(({ status }) => nodeStatus.isWaiting(status)).map(nodeKey),
    );
    const isWaiting = ({ status, parentNode }: DagRunSummary): boolean =>
      runStatus.isWaiting(status) || waiting.has(parentNode ?? '');
    await requestChildren(id, audit, isWaiting);
  };
  const accepts = (run: DagRunSummary, kind: 'stop_requested' | 'dequeue_requested'): boolean =>
    transition({ ...run, waitingSteps: [] }, { kind, ...end() }) !== undefined;
  return {
    /** Throws the errors of `stop` for a run in this state. */
    checkStop: (run: DagRunSummary): void => {
      if (!accepts(run, 'stop_requested') && !isStopped(run)) throw dagRunNotRunning(run.dagRunId);
    },

    /** Throws the errors of `dequeue` for a run in this state. */
    checkDequeue: (run: DagRunSummary): void => {
      const isDequeued = isStopped(run) && run.startedAt === null;
      if (!accepts(run, 'dequeue_requested') && !isDequeued) throw dagRunNotQueued(run.dagRunId);
    },

    /**
     * Aborts a queued or waiting run. For a running one the request is stored before its owner is notified, so that
     * it outlives the owner. Cancels the automatic retry of a failed run; does not change other runs that have ended.
     */
    requestStop: request,

    /** Throws `not_running` for a run that ended without being stopped. */
    async stop({ id, dagRunId }: StoppedRun, audit: AuditedOperation): Promise<'aborted' | 'requested'> {
      const outcome = await request(id, audit);
      if (outcome !== 'ended') return outcome;
      if (!isStopped(await runs.findById(id))) throw dagRunNotRunning(dagRunId);
      // The process that stopped it may have died before it stopped the child runs.
      await requestChildren(id, audit);
      return 'aborted';
    },

    /** Throws `not_queued`. Repeating it is no error. */
    async dequeue({ id, dagRunId }: StoppedRun, audit: AuditedOperation): Promise<void> {
      const dequeued = await runs.commit(id, { kind: 'dequeue_requested', ...end() }, { audit });
      if (dequeued !== undefined) return requestChildren(id, audit);
      const run = await runs.findById(id);
      // A run that was stopped after its start was no longer in the queue.
      if (!isStopped(run) || run?.startedAt !== null) throw dagRunNotQueued(dagRunId);
      await requestChildren(id, audit);
    },
  };
}

function isStopped(run: DagRunSummary | undefined): boolean {
  return run !== undefined && runStatus.isAborted(run.status);
}
