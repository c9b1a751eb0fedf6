import { setTimeout as delay } from 'node:timers/promises';

export interface BoundedCheckOptions {
  /** After which the answer is no. */
  readonly timeoutMs: number;
  /** How long a yes is taken for the answer. Default 0. */
  readonly validMs?: number;
}

/** Whether something that may hang answers, within a bounded time. What hangs is asked once, not once a call. */
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
