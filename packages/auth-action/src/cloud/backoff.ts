export const maxAttempts = 6;

const shortestLimitMs = 10_000;

/** The time limit of an attempt: half of what remains, so that a service that hangs leaves time for another attempt. */
export function attemptLimitMs(remainingMs: number): number {
  return Math.min(remainingMs, Math.max(shortestLimitMs, remainingMs / 2));
}

const baseMs = 250;
const factor = 2;

/**
 * The delay after an attempt, counted from 1: up to 250 ms, doubled for each attempt. Full jitter, because the jobs of
 * one push start in the same second.
 */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.floor(random() * baseMs * factor ** (attempt - 1));
}

/**
 * The delay of a Retry-After header in milliseconds; 0 if it is missing, in the past or invalid. A date is compared
 * with the Date header of the same response, because the clock of the runner may be wrong.
 */
export function retryAfterMs(header: string | undefined, dateHeader: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const [moment, sentAt] = [Date.parse(header), Date.parse(dateHeader ?? '')];
  if (Number.isNaN(moment)) return 0;
  return Math.max(0, moment - (Number.isNaN(sentAt) ? now : sentAt));
}
