import { durationMs } from '../duration';

/** However short an interval is asked for: a loop without rest would keep the server busy. */
const shortestMs = 50;

/** The setting `poll_interval` in milliseconds. */
export function pollIntervalMs(value: string | number | undefined, defaultMs: number): number {
  return Math.max(durationMs('poll_interval', value, defaultMs), shortestMs);
}
