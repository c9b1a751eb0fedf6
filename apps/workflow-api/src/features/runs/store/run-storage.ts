import type {
  AttemptBegin,
  AttemptEnd,
  DagRunSummary,
  RunTransition,
  transition as engineTransition,
} from '@weir/workflow-engine/model';
import type { AuditedOperation, RecordChange } from '../../../access/audited-operation';
import type { NewQueueItem } from '../../queue/store';
import type { QueuedRun } from './queue-item';

/** The state of a run for the state machine. */
export type RunState = Parameters<typeof engineTransition>[0];

/** The fields of the stored run that the effects of a transition need. */
export type CommittedRun = QueuedRun & Pick<DagRunSummary, 'dagRunId' | 'parentId' | 'parentNode'>;

/** One transaction. */
export interface RunTransaction {
  /** Loads the run, which no other transaction changes until the end of this one. */
  load(id: string): Promise<RunState | undefined>;
  /**
   * Stores patch and steps of a transition. Returns `undefined`, and stores nothing, when the run is not as the
   * transition expects.
   */
  commit(id: string, transition: RunTransition): Promise<CommittedRun | undefined>;
  enqueue(item: NewQueueItem): Promise<void>;
  removeFromQueue(id: string): Promise<void>;
  recordAttempt(id: string, ended: AttemptEnd, next: AttemptBegin): Promise<void>;
}

/** Changes runs in a database; the engine decides which changes are allowed. */
export interface RunStorage {
  transaction<T>(
    audit: AuditedOperation,
    work: (transaction: RunTransaction, record: RecordChange) => Promise<T>,
  ): Promise<T>;
  /** Stores a transition without effects, in one statement where that is possible. Returns whether the run was as expected. */
  commit(id: string, transition: RunTransition): Promise<boolean>;
  notifyQueue(): void;
  notifyWaiters(id: string): void;
}
