import { setTimeout as delay } from 'node:timers/promises';

export interface WaitForOptions {
  /** In milliseconds. Default 60,000. */
  readonly deadlineMs?: number;
  /** The description in the error: `the server to answer /health`. */
  readonly what: string;
  /** The shortest poll interval in milliseconds; it grows with the wait. Default 20. */
  readonly intervalMs?: number;
}

// A condition often asks a server, whose answers would take the processor that it waits for.
const shareOfWait = 0.1;
const longestIntervalMs = 200;

/**
 * Polls `condition` until it returns a truthy value, and returns that value. A condition that throws counts as not yet
 * met; its last error is the cause of the timeout error.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitForOptions,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const { deadlineMs = 60_000, intervalMs = 20, what } = options;
  const start = performance.now();
  const end = start + deadlineMs;
  let lastError: unknown;
  do {
    try {
      const value = await withinDeadline(condition(), end);
      if (value) return value as Exclude<T, false | null | undefined | 0 | ''>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    const waitedMs = performance.now() - start;
    await delay(Math.max(intervalMs, Math.min(waitedMs * shareOfWait, longestIntervalMs)));
  } while (performance.now() < end);
  throw new Error(`Waited ${deadlineMs} ms for ${what}.`, { cause: lastError });
}

async function withinDeadline<T>(attempt: T | Promise<T>, end: number): Promise<T> {
  const stop = new AbortController();
  const timeout = delay(Math.max(0, end - performance.now()), undefined, { signal: stop.signal }).then(() => {
    throw new Error('The last attempt did not finish before the deadline.');
  });
  try {
    return await Promise.race([attempt, timeout]);
  } finally {
    stop.abort();
    timeout.catch(() => {
      // The abort above ends it when the attempt was first.
    });
  }
}
