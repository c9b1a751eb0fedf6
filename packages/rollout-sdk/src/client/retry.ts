import { setTimeout as sleepFor } from 'node:timers/promises';
import { isApiError } from '@weir/api-client';

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** The limit of all waits between attempts together; then the last error is passed on. */
  readonly maxWaitMs: number;
  /** Default: waits, and rejects when the signal aborts. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

const firstDelayMs = 100;
const maxDelayMs = 5_000;
const retryableStatuses = new Set([408, 425, 429, 502, 503, 504]);

/** Repeats a call that can be repeated safely, until it is answered, the time is over or the signal aborts. */
export async function retryUntilAnswered<Value>(
  call: () => Promise<Value>,
  {
    signal,
    maxWaitMs,
    sleep = (milliseconds, aborted) => sleepFor(milliseconds, undefined, { signal: aborted }),
  }: RetryOptions,
): Promise<Value> {
  let waitedMs = 0;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, maxDelayMs)) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      const nextMs = askedDelayMs(error) ?? delayMs;
      waitedMs += nextMs;
      if (!isRetryable(error) || waitedMs > maxWaitMs) throw error;
      await sleep(nextMs, signal);
    }
  }
}

/** An error answer that may change, or a missing answer, for which `fetch` rejects with a `TypeError`. */
function isRetryable(error: unknown): boolean {
  if (isApiError(error)) return retryableStatuses.has(error.status);
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}

function askedDelayMs(error: unknown): number | undefined {
  const seconds = isApiError(error) ? Number(error.headers.get('retry-after') ?? Number.NaN) : Number.NaN;
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, maxDelayMs) : undefined;
}
