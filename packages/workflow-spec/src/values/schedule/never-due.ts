const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const partForm = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/;

/**
 * Whether the day and month of a valid cron expression exist in no calendar, such as April 31. The answer is computed
 * directly, because a cron library would search years for a date that never comes.
 */
export function isNeverDue(fields: readonly string[]): boolean {
  const [, , days = '*', months = '*', weekdays = '*'] = fields;
  // With a weekday, the day of the month is only one of two alternatives.
  if (weekdays !== '*') return false;
  const firstDay = smallest(expandField(days, 31));
  const longest = Math.max(...expandField(months, 12).map((month) => monthLengths[month - 1] ?? 31));
  return firstDay > longest;
}

function smallest(values: readonly number[]): number {
  return values.length === 0 ? 1 : Math.min(...values);
}

/** Returns the values of a field; all values when it has a form that depends on the calendar, such as the last day. */
function expandField(field: string, last: number): readonly number[] {
  const all = Array.from({ length: last }, (_, index) => index + 1);
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [whole, from, to, step] = partForm.exec(part) ?? [];
    const first = from === undefined ? 1 : parseFieldNumber(from);
    const end = to === undefined ? (from === undefined || step !== undefined ? last : first) : parseFieldNumber(to);
    if (whole === undefined || first === undefined || end === undefined) return all;
    for (const value of all) {
      if (value >= first && value <= end && (value - first) % Number(step ?? 1) === 0) values.add(value);
    }
  }
  return [...values];
}

function parseFieldNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const month = monthNames.indexOf(text.toLowerCase());
  return month === -1 ? undefined : month + 1;
}
