import { setTimeout as delay } from 'node:timers/promises';

export interface WaitForOptions {
  /** How long to try, in milliseconds; 10,000 unless given. */
  readonly deadlineMs?: number;
  /** Names the awaited thing in the error: `the server to answer /health`. */
  readonly what: string;
  /** Pause between two tries, in milliseconds; 20 unless given. */
  readonly intervalMs?: number;
}

/**
 * Tries `condition` until it gives something truthy, and returns that. A condition that throws counts as not yet
 * met; the last thing it threw is the cause of the error that a missed deadline gives.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitForOptions,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const { deadlineMs = 10_000, intervalMs = 20, what } = options;
  const end = performance.now() + deadlineMs;
  let lastError: unknown;
  do {
    try {
      const value = await withinDeadline(condition(), end);
      if (value) return value as Exclude<T, false | null | undefined | 0 | ''>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await delay(intervalMs);
  } while (performance.now() < end);
  throw new Error(`Waited ${deadlineMs} ms for ${what}.`, { cause: lastError });
}

async function withinDeadline<T>(attempt: T | Promise<T>, end: number): Promise<T> {
  const stop = new AbortController();
  const late = delay(Math.max(0, end - performance.now()), undefined, { signal: stop.signal }).then(() => {
    throw new Error('The last try did not answer before the deadline.');
  });
  try {
    return await Promise.race([attempt, late]);
  } finally {
    stop.abort();
    late.catch(() => {
      // The abort above ends it when the attempt was first.
    });
  }
}
