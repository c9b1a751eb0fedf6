import type {
  AttemptBegin,
  AttemptEnd,
  DagRunSummary,
  RunTransition,
  transition as engineTransition,
} from '@weir/workflow-engine';
import type { AuditedOperation, RecordChange } from '../../../access/audited-operation';
import type { NewQueueItem } from '../../queue/store';
import type { QueuedRun } from './queue-item';

/** A run as the state machine sees it. */
export type RunState = Parameters<typeof engineTransition>[0];

/** What the effects of a transition need of the run as it is stored then. */
export type CommittedRun = QueuedRun & Pick<DagRunSummary, 'dagRunId' | 'parentId' | 'parentNode'>;

/** One transaction. */
export interface RunTransaction {
  /** Nobody else changes the run from here until the end of the transaction. */
  load(id: string): Promise<RunState | undefined>;
  /** Stores patch and steps of a transition; nothing, and stores nothing, when the run is not as it expects. */
  commit(id: string, transition: RunTransition): Promise<CommittedRun | undefined>;
  enqueue(item: NewQueueItem): Promise<void>;
  removeFromQueue(id: string): Promise<void>;
  recordAttempt(id: string, ended: AttemptEnd, next: AttemptBegin): Promise<void>;
}

/** What a database does to change runs; which changes are allowed is the engine's business. */
export interface RunStorage {
  transaction<T>(
    audit: AuditedOperation,
    work: (transaction: RunTransaction, record: RecordChange) => Promise<T>,
  ): Promise<T>;
  /** Stores a transition without effects, in one statement where that is possible. Whether the run was as it expects. */
  commit(id: string, transition: RunTransition): Promise<boolean>;
  notifyQueue(): void;
  notifyWaiters(id: string): void;
}
