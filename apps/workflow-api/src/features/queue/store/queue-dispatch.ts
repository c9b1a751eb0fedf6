import type { Db, DbTransaction } from '@weir/workflow-db';
import type { ClaimRequest, NewQueueItem, QueueClaim } from './queue-driver';
import type { ClaimOptions } from './run-claims';

/** Dispatches waiting runs to workers; SQLite and PostgreSQL do this differently. */
export interface QueueDispatch {
  enqueue(transaction: DbTransaction, item: NewQueueItem): Promise<void>;
  complete(transaction: DbTransaction, runId: string): Promise<void>;
  /** A claimed run waits again, and may be claimed from this time on. */
  released(transaction: DbTransaction, runId: string, at: Date): Promise<void>;
  /** The queue has more slots, or is no longer paused; without a name, all queues. */
  opened(queueName?: string): Promise<void>;
  /** Calls the listener when another process has made a run claimable, until the returned function is called. */
  watch(onClaimable: () => void): Promise<() => Promise<void>>;
  /** Whether a claim may find a waiting run; locks nothing. */
  isClaimable(db: Db, request: ClaimRequest): Promise<boolean>;
  /** Gives the first waiting run to the owner. `again` means that the transaction did other necessary work. */
  claim(transaction: DbTransaction, request: ClaimRequest & ClaimOptions): Promise<QueueClaim | 'again' | undefined>;
}
