import type { DagRunSummary } from '@weir/workflow-engine/model';
import type { NewQueueItem } from '../../queue/store';

export type QueuedRun = Pick<
  DagRunSummary,
  | 'id'
  | 'dagName'
  | 'queueName'
  | 'workspace'
  | 'workerSelector'
  | 'priority'
  | 'ownerId'
  | 'fencingToken'
  | 'depth'
  | 'createdAt'
>;

/** Returns the queue of the DAG unless the start named another one. */
export function findQueueName({ queueName, dagName }: Pick<DagRunSummary, 'queueName' | 'dagName'>): string {
  return queueName ?? dagName;
}

export function toQueueItem(run: QueuedRun, at: Date, isUnlimited = false): NewQueueItem {
  return {
    runId: run.id,
    queueName: findQueueName(run),
    selector: run.workerSelector,
    workspace: run.workspace,
    at,
    priority: run.priority,
    claimedBy: run.ownerId,
    token: run.fencingToken,
    // A child run must not wait for the slot that its parent holds.
    isUnlimited: isUnlimited || run.ownerId !== null || run.depth > 0,
  };
}
