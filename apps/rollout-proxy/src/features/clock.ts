import { setTimeout as sleepFor } from 'node:timers/promises';

/** Time, as a port, so that specs can set it. */
export interface Clock {
  nowMs(): number;
  /** An aborted signal rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  // Waiting for time to pass is no reason to keep a process up.
  sleep: (milliseconds, signal) => sleepFor(milliseconds, undefined, { ref: false, ...(signal && { signal }) }),
};
