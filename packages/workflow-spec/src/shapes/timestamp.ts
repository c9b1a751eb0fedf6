/** Matches RFC 3339 with an offset. */
export const timestampPattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2})$';
const pattern = new RegExp(timestampPattern);

/** Whether the string is a valid date and time. */
export function isTimestamp(text: string): boolean {
  if (!pattern.test(text) || Number.isNaN(Date.parse(text))) return false;
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  // Date alone would turn April 31 into May 1.
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
