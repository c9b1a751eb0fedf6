/** Schedules callbacks. A port, so that specs decide when they fire. */
export interface Timer {
  /** Calls `due` once after that time, unless the function that it returns was called before. */
  start(afterMs: number, due: () => void): () => void;
}

// What the system's timers can hold; one that is longer would be due at once.
const longestMs = 2_147_483_647;

/** The timers of the system, with delays of any length. One that is not cancelled keeps the process alive. */
export const systemTimer: Timer = {
  start(afterMs, due) {
    let handle: NodeJS.Timeout;
    const wait = (remainingMs: number): void => {
      const partMs = Math.min(remainingMs, longestMs);
      handle = setTimeout(() => (remainingMs > partMs ? wait(remainingMs - partMs) : due()), partMs);
    };
    wait(Math.max(0, afterMs));
    return () => clearTimeout(handle);
  },
};
