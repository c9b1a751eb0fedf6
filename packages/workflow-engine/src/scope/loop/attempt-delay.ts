export interface DelayPolicy {
  readonly intervalSec: number;
  /** The factor by which each wait is longer than the one before; missing is 1. */
  readonly backoff?: number;
  readonly maxIntervalSec?: number;
}

// A year: longer delays are mistakes, and sums of them would not be exact.
const longestSec = 366 * 24 * 3_600;

/** The delay before the next attempt of a step that was delayed `previousDelays` times. */
export function computeDelayMs(
  { intervalSec, backoff = 1, maxIntervalSec }: DelayPolicy,
  previousDelays: number,
): number {
  // 0 times an infinite factor is not a number.
  const grown = intervalSec === 0 ? 0 : intervalSec * backoff ** previousDelays;
  return Math.min(grown, maxIntervalSec ?? longestSec, longestSec) * 1000;
}
