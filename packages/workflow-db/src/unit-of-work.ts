import { setTimeout as delay } from 'node:timers/promises';
import type { Db, DbTransaction } from './create-database';
import type { DatabaseProvider } from './database-url';
import { translatePrismaError } from './translate-prisma-error';

export interface UnitOfWorkOptions {
  /**
   * `serializable`, the default: transactions behave as if they ran one after the other, on both databases; what one
   * of them read cannot change before it commits. `read_committed`: on PostgreSQL each statement sees what others
   * have committed by then, and waits for rows that others are changing; nobody gets in anybody's way. For work whose
   * rules hold by unique keys and by rows that it changes before it reads them.
   */
  readonly isolation?: 'serializable' | 'read_committed';
}

// The type of SQLite's client, which stands for both, has no name for it.
const readCommitted = 'ReadCommitted' as 'Serializable';
const maxWaitMs = 10_000;
const timeoutMs = 10_000;
const retryDeadlineMs = 15_000;
const firstPauseMs = 5;
const longestPauseMs = 200;

/**
 * Runs `work` in one transaction: all of its changes happen, or none. PostgreSQL ends one of two transactions that
 * get in each other's way, so `work` may run more than once: keep everything but database calls out of it.
 *
 * Rejects with what `work` threw; with Prisma's write conflict when 15 s of retries did not help; with Prisma's
 * P2028 when no turn was free within 10 s or `work` took longer than 10 s.
 */
export type UnitOfWork = <T>(
  work: (transaction: DbTransaction) => Promise<T>,
  options?: UnitOfWorkOptions,
) => Promise<T>;

export function createUnitOfWork(db: Db, provider: DatabaseProvider): UnitOfWork {
  return async (work, { isolation = 'serializable' } = {}) => {
    // SQLite lets one transaction in at a time and knows nothing weaker.
    const isWeak = isolation === 'read_committed' && provider === 'postgresql';
    const end = performance.now() + retryDeadlineMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await db.$transaction(work, {
          isolationLevel: isWeak ? readCommitted : 'Serializable',
          maxWait: maxWaitMs,
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

/** Grows with every attempt; the random half keeps rivals from meeting again. */
function pauseMs(attempt: number): number {
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
  return longest / 2 + (longest / 2) * Math.random();
}
