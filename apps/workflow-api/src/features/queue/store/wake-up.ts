/** Calls a listener at the earliest of several times. */
export interface WakeUp {
  /** Calls the listener until the returned function is called; nothing is called before the start. */
  start(listener: () => void): () => void;
  /** `now` is the time by the same clock. */
  at(time: Date, now: Date): void;
}

// Timers cannot wait longer than this.
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
