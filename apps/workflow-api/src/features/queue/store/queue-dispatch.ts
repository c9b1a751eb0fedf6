import type { Db, DbTransaction } from '@weir/workflow-db';
import type { ClaimRequest, NewQueueItem, QueueClaim } from './queue-driver';
import type { ClaimOptions } from './run-claims';

/** How the runs that wait get to the workers: what SQLite and PostgreSQL do differently. */
export interface QueueDispatch {
  enqueue(transaction: DbTransaction, item: NewQueueItem): Promise<void>;
  complete(transaction: DbTransaction, runId: string): Promise<void>;
  /** A run waits again that was claimed and may be claimed at this time. */
  released(transaction: DbTransaction, runId: string, at: Date): Promise<void>;
  /** The queue has more slots, or is no longer paused; all queues without a name. */
  opened(queueName?: string): Promise<void>;
  /** Calls the listener when another process has made a run claimable, until the returned function is called. */
  watch(onClaimable: () => void): Promise<() => Promise<void>>;
  /** Whether a claim may find a run that waits; locks nothing. */
  isClaimable(db: Db, request: ClaimRequest): Promise<boolean>;
  /** Gives the first run that waits to the owner. `again`: the transaction did something else that had to be done. */
  claim(transaction: DbTransaction, request: ClaimRequest & ClaimOptions): Promise<QueueClaim | 'again' | undefined>;
}
