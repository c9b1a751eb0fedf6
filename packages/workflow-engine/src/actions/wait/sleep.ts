import type { Pause } from '../pause';

/** One timer takes 24 days at most; a shorter one also notices when the clock of the host was set. */
const longestTimerMs = 60_000;

/** Lets an amount of time pass, whatever the clock of the host shows. */
export async function sleepFor(milliseconds: number, pause: Pause, signal: AbortSignal): Promise<void> {
  for (let remaining = milliseconds; remaining > 0; remaining -= longestTimerMs)
    await pause(Math.min(remaining, longestTimerMs), signal);
}

/** Lets time pass until `leftMs` tells none, looking again at least every minute. */
export async function sleepUntil(leftMs: () => number, pause: Pause, signal: AbortSignal): Promise<void> {
  for (let remaining = leftMs(); remaining > 0; remaining = leftMs())
    await pause(Math.min(remaining, longestTimerMs), signal);
}
