import type { DagRunSummary } from '@weir/workflow-engine';
import type { NewQueueItem } from '../../queue';

export type QueuedRun = Pick<
  DagRunSummary,
  'id' | 'dagName' | 'queueName' | 'priority' | 'ownerId' | 'fencingToken' | 'depth' | 'createdAt'
>;

/** The name of the queue that a run waits in: its DAG's own unless another one was asked for. */
export function findQueueName({ queueName, dagName }: Pick<DagRunSummary, 'queueName' | 'dagName'>): string {
  return queueName ?? dagName;
}

export function toQueueItem(run: QueuedRun, at: Date, isUnlimited = false): NewQueueItem {
  return {
    runId: run.id,
    queueName: findQueueName(run),
    at,
    priority: run.priority,
    claimedBy: run.ownerId,
    token: run.fencingToken,
    // A run that another one waits for must not wait for the place that this one holds.
    isUnlimited: isUnlimited || run.ownerId !== null || run.depth > 0,
  };
}
