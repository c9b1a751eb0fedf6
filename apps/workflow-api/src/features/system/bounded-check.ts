import { setTimeout as delay } from 'node:timers/promises';

export interface BoundedCheckOptions {
  /** After this time the answer is false. */
  readonly timeoutMs: number;
  /** A positive answer is valid for this time. Default: 0. */
  readonly validMs?: number;
}

/** Checks whether a service that may hang answers within a bounded time. Concurrent calls share one check. */
export function createBoundedCheck(
  ask: () => Promise<boolean>,
  { timeoutMs, validMs = 0 }: BoundedCheckOptions,
): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;
  const remember = (isReachable: boolean): boolean => {
    if (isReachable) answeredAt = performance.now();
    return isReachable;
  };
  return async () => {
    if (performance.now() - answeredAt < validMs) return true;
    // The caller reports the state, not the reason; the code that needs the answer logs it.
    asked ??= ask()
      .then(remember, () => false)
      .finally(() => {
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
