import type { Schemas } from '../../api/client';

export type Holiday = NonNullable<Schemas['CalendarRequest']['holidays']>[number];

/** Writes one line for each holiday: its date, and its name. */
export function formatHolidays(holidays: readonly Holiday[]): string {
  return holidays.map(({ date, name }) => (name === undefined ? date : `${date} ${name}`)).join('\n');
}

/** Reads the lines; `badLine` is the number of the first one that begins with no date. */
export function parseHolidays(text: string): { readonly holidays: readonly Holiday[] } | { readonly badLine: number } {
  const holidays: Holiday[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [, date, name = ''] = /^\s*(\d{4}-\d{2}-\d{2})(?:\s+(.*?))?\s*$/.exec(line) ?? [];
    if (date !== undefined) holidays.push(name === '' ? { date } : { date, name });
    else if (line.trim() !== '') return { badLine: index + 1 };
  }
  return { holidays };
}

/** Adds holidays whose dates are not there yet, in the order of their dates. */
export function mergeHolidays(present: readonly Holiday[], added: readonly Holiday[]): readonly Holiday[] {
  const dates = new Set(present.map(({ date }) => date));
  return [...present, ...added.filter(({ date }) => !dates.has(date))].sort((left, right) =>
    left.date < right.date ? -1 : 1,
  );
}

export function parseWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
