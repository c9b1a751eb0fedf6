/** RFC 3339 with an offset, as a pattern for JSON Schema too. */
export const timestampPattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2})$';
const pattern = new RegExp(timestampPattern);

/** Whether the text is one point in time that the calendar has. */
export function isTimestamp(text: string): boolean {
  if (!pattern.test(text) || Number.isNaN(Date.parse(text))) return false;
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  // Date alone would turn the 31st of April into the 1st of May.
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
