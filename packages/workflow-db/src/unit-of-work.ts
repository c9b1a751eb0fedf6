import { setTimeout as delay } from 'node:timers/promises';
import type { Db, DbTransaction } from './create-database';
import { translatePrismaError } from './translate-prisma-error';

const maxWaitMs = 10_000;
const timeoutMs = 10_000;
const retryDeadlineMs = 15_000;
const firstPauseMs = 5;
const longestPauseMs = 200;

/**
 * Runs `work` in one transaction: all of its changes happen, or none. Transactions behave as if they ran one after
 * the other, on both databases; what one of them read cannot change before it commits. PostgreSQL ends one of two
 * that get in each other's way, so `work` may run more than once: keep everything but database calls out of it.
 *
 * Rejects with what `work` threw; with Prisma's write conflict when 15 s of retries did not help; with Prisma's
 * P2028 when no turn was free within 10 s or `work` took longer than 10 s.
 */
export type UnitOfWork = <T>(work: (transaction: DbTransaction) => Promise<T>) => Promise<T>;

export function createUnitOfWork(db: Db): UnitOfWork {
  return async (work) => {
    const end = performance.now() + retryDeadlineMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await db.$transaction(work, {
          isolationLevel: 'Serializable',
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
