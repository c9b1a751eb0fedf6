import { setTimeout as wait } from 'node:timers/promises';

/** Resolves after the time; rejects as soon as the signal is aborted. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const timerPause: Pause = async (milliseconds, signal) => {
  await wait(milliseconds, undefined, { signal });
};
