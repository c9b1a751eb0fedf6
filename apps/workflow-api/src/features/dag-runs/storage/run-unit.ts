import type { DbTransaction } from '@weir/workflow-db';
import type { QueueDriver } from '../../queue';

/** One transaction, and what puts runs into their queues in it. */
export interface RunUnit {
  readonly tables: DbTransaction;
  readonly queue: QueueDriver<DbTransaction>;
}
