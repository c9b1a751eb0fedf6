import type { ActionSettings } from '../action-settings';
import { durationMs } from '../duration';

/** However short an interval is asked for: a loop without rest would keep the server busy. */
const shortestMs = 50;

/** The time between two looks. */
export function intervalMs(settings: ActionSettings, defaultMs: number): number {
  return Math.max(durationMs(settings, 'poll_interval') ?? defaultMs, shortestMs);
}
