import { setTimeout as delay } from 'node:timers/promises';
import { isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { SqliteError } from 'better-sqlite3';

/** Many commands may share the file, on a machine that has much else to do. */
export const defaultLockedMs = 30_000;
const firstPauseMs = 1;
// Short, so that a process which writes without pause does not keep the others out.
const longestPauseMs = 10;

/**
 * Repeats what fails because another process has locked the file. SQLite's own wait (`busy_timeout`) blocks the thread,
 * so that the whole process would stand still.
 */
export async function untilUnlocked<T>(work: () => T | Promise<T>, lockedMs = defaultLockedMs): Promise<T> {
  const end = performance.now() + lockedMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= end) throw error;
    }
    await delay(pauseMs);
  }
}

function isLocked(error: unknown): boolean {
  if (error instanceof SqliteError) return error.code.startsWith('SQLITE_BUSY');
  return error instanceof Error && isDriverAdapterError(error) && error.cause.kind === 'SocketTimeout';
}
