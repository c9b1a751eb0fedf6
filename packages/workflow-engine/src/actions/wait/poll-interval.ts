import { durationMs } from '../../values/text/duration';

/** Lower bound of all intervals: a busy loop would block the server. */
const shortestMs = 50;

/** The setting `poll_interval` in milliseconds. */
export function pollIntervalMs(value: string | number | undefined, defaultMs: number): number {
  return Math.max(durationMs('poll_interval', value, defaultMs), shortestMs);
}
