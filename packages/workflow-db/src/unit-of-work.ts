import { setTimeout as delay } from 'node:timers/promises';
import type { Db, DbTransaction } from './db';
import type { DatabaseProvider } from './database-url';
import { translatePrismaError } from './translate-prisma-error';

export interface UnitOfWorkOptions {
  /**
   * `serializable`, the default: transactions behave as if they ran one after the other, on both databases.
   * `read_committed`: on PostgreSQL each statement sees the transactions that are committed by then and waits for rows
   * that others are changing, and no transaction has to be repeated. It suits work that is protected by unique keys and
   * by rows that it changes before it reads them.
   */
  readonly isolation?: 'serializable' | 'read_committed';
}

// The type of SQLite's client, which stands for both, does not have this level.
const readCommitted = 'ReadCommitted' as 'Serializable';
const timeoutMs = 10_000;
const retryDeadlineMs = 15_000;
const firstPauseMs = 5;
const longestPauseMs = 200;

/**
 * Runs `work` in one transaction. PostgreSQL aborts one of two conflicting transactions, so `work` may run more than
 * once and must do nothing but database calls.
 *
 * Rejects with what `work` threw; with Prisma's write conflict after 15 s of retries; with Prisma's P2028 when the
 * transaction could not start within 10 s or `work` took longer than 10 s.
 */
export type UnitOfWork = <T>(
  work: (transaction: DbTransaction) => Promise<T>,
  options?: UnitOfWorkOptions,
) => Promise<T>;

export function createUnitOfWork(db: Db, provider: DatabaseProvider): UnitOfWork {
  return async (work, { isolation = 'serializable' } = {}) => {
    // SQLite executes one transaction at a time and has no weaker level.
    const isWeak = isolation === 'read_committed' && provider === 'postgresql';
    const end = performance.now() + retryDeadlineMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await db.$transaction(work, {
          isolationLevel: isWeak ? readCommitted : 'Serializable',
          timeout: timeoutMs,
        });
      } catch (error) {
        const isConflict = translatePrismaError(error)?.kind === 'write_conflict';
        if (!isConflict || performance.now() >= end) throw error;
      }
      await delay(pauseMs(attempt));
    }
  };
}

/** Grows with every attempt; the random half keeps competing transactions apart. */
function pauseMs(attempt: number): number {
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
  return longest / 2 + (longest / 2) * Math.random();
}
