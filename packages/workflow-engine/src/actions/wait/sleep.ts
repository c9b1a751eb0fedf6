import type { Pause } from '../../host/concurrency/pause';

/** Timers are limited to 24 days; a shorter one also notices changes of the system clock. */
const longestTimerMs = 60_000;

/** Waits for a duration, independent of the system clock. */
export async function sleepFor(milliseconds: number, pause: Pause, signal: AbortSignal): Promise<void> {
  for (let remaining = milliseconds; remaining > 0; remaining -= longestTimerMs)
    await pause(Math.min(remaining, longestTimerMs), signal);
}

/** Waits until `leftMs` returns no remaining time, evaluated at least every minute. */
export async function sleepUntil(leftMs: () => number, pause: Pause, signal: AbortSignal): Promise<void> {
  for (let remaining = leftMs(); remaining > 0; remaining = leftMs())
    await pause(Math.min(remaining, longestTimerMs), signal);
}
