export const maxAttempts = 6;

const baseMs = 250;
const factor = 2;

/**
 * How long to wait after an attempt (the first is 1): anything up to 250 ms, doubled every time. Full jitter, because
 * the jobs of one push all start in the same second.
 */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.floor(random() * baseMs * factor ** (attempt - 1));
}

/**
 * What a Retry-After header asks for, in milliseconds; 0 where it is missing, in the past or unreadable. A date is
 * compared with the Date header beside it, because the clock of this machine may be wrong.
 */
export function retryAfterMs(header: string | undefined, dateHeader: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const [moment, sentAt] = [Date.parse(header), Date.parse(dateHeader ?? '')];
  if (Number.isNaN(moment)) return 0;
  return Math.max(0, moment - (Number.isNaN(sentAt) ? now : sentAt));
}
