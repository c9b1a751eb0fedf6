import { setTimeout as sleepFor } from 'node:timers/promises';

/** Time and waiting as a port, so that specs can set the time. */
export interface Clock {
  now(): Date;
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** An aborted signal rejects with the signal's reason. Does not keep the process alive. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMs: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await sleepFor(milliseconds, undefined, { ref: false, ...(signal && { signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
