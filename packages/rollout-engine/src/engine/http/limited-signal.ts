export interface LimitedSignal {
  readonly signal: AbortSignal;
  /** Whether the time limit, not the caller, aborted the signal. */
  isLate(): boolean;
  /** Detaches the signal from the caller's and from the clock. */
  clear(): void;
  abort(): void;
}

/** A signal that follows another one and is aborted after a time. `AbortSignal.any` would keep its timer. */
export function createLimitedSignal(signal: AbortSignal, timeoutMs: number): LimitedSignal {
  const controller = new AbortController();
  let isLate = false;
  const follow = (): void => controller.abort(signal.reason);
  if (signal.aborted) follow();
  signal.addEventListener('abort', follow, { once: true });
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  timer.unref();
  return {
    signal: controller.signal,
    isLate: () => isLate,
    clear: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', follow);
    },
    abort: () => controller.abort(),
  };
}
