export interface DelayPolicy {
  readonly intervalSec: number;
  /** The factor by which each wait is longer than the one before; missing is 1. */
  readonly backoff?: number;
  readonly maxIntervalSec?: number;
}

// A year; what is longer is no wait but a mistake, and sums of it must stay exact.
const longestSec = 366 * 24 * 3_600;

/** Milliseconds before the next try, when `waited` waits of the same step came before it. */
export function computeDelayMs(
  { intervalSec, backoff = 1, maxIntervalSec }: DelayPolicy,
  previousDelays: number,
): number {
  // 0 times an infinite factor is not a number.
  const grown = intervalSec === 0 ? 0 : intervalSec * backoff ** previousDelays;
  return Math.min(grown, maxIntervalSec ?? longestSec, longestSec) * 1000;
}
