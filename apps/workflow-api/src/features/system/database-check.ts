import type { Database } from '@weir/workflow-db';
import { createBoundedCheck } from './bounded-check';

/** Whether the database answers, within a bounded time. */
export type DatabaseCheck = () => Promise<boolean>;

export function createDatabaseCheck({ db }: Pick<Database, 'db'>, timeoutMs = 1_000): DatabaseCheck {
  const ask = async (): Promise<boolean> => {
    await db.$queryRawUnsafe('SELECT 1');
    return true;
  };
  return createBoundedCheck(ask, { timeoutMs });
}
