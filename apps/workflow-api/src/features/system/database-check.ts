import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@weir/workflow-db';

/** Whether the database answers, within a bounded time. */
export type DatabaseCheck = () => Promise<boolean>;

export function createDatabaseCheck({ db }: Pick<Database, 'db'>, timeoutMs = 1_000): DatabaseCheck {
  let asked: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    try {
      await db.$queryRawUnsafe('SELECT 1');
      return true;
    } catch {
      // The caller reports the state, not the reason; the code that needs the database logs it.
      return false;
    }
  };
  return async () => {
    // A database that hangs is asked once, not once a call.
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    const late = new AbortController();
    try {
      return await Promise.race([asked, delay(timeoutMs, false, { signal: late.signal, ref: false })]);
    } finally {
      late.abort();
    }
  };
}
