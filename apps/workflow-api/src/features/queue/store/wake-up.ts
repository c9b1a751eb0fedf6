/** Calls a listener at the earliest of the times that it was told. */
export interface WakeUp {
  /** Until the returned function is called. Nothing is called before. */
  start(listener: () => void): () => void;
  /** `now` is the time by the same clock. */
  at(time: Date, now: Date): void;
}

// The longest that a timer can wait.
const maxDelayMs = 2_147_483_647;

export function createWakeUp(): WakeUp {
  let listener: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let setFor = Number.POSITIVE_INFINITY;
  const clear = (): void => {
    clearTimeout(timer);
    timer = undefined;
    setFor = Number.POSITIVE_INFINITY;
  };
  return {
    start: (given) => {
      listener = given;
      return () => {
        listener = undefined;
        clear();
      };
    },
    at: (time, now) => {
      if (listener === undefined || time.getTime() >= setFor) return;
      clear();
      setFor = time.getTime();
      const elapsed = (): void => {
        clear();
        listener?.();
      };
      timer = setTimeout(elapsed, Math.min(maxDelayMs, Math.max(0, setFor - now.getTime())));
      timer.unref();
    },
  };
}
