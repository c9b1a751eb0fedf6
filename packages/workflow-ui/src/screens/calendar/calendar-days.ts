/** Days are written as `2026-11-23`, independently of time zones. */
export type Day = string;

export type CalendarView = 'day' | 'week';

const dayMs = 86_400_000;
/** The offset of clocks from UTC is at most this. */
const mostOffsetMs = 14 * 3_600_000;

export function isDay(text: unknown): text is Day {
  return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Returns the day that is `count` days later. */
export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}

/** Returns the day itself, or the days of its week, which begins on Monday. */
export function daysOf(view: CalendarView, day: Day): readonly Day[] {
  if (view === 'day') return [day];
  const sinceMonday = (new Date(Date.parse(day)).getUTCDay() + 6) % 7;
  const monday = addDays(day, -sinceMonday);
  return Array.from({ length: 7 }, (_, index) => addDays(monday, index));
}

/** Returns a range of time that contains all of the days in every time zone. */
export function rangeAround(days: readonly Day[]): { readonly from: Date; readonly to: Date } {
  const [first = '1970-01-01'] = days;
  const last = days.at(-1) ?? first;
  return {
    from: new Date(Date.parse(first) - mostOffsetMs),
    to: new Date(Date.parse(last) + dayMs + mostOffsetMs),
  };
}

export interface WallTime {
  readonly day: Day;
  readonly hour: number;
}

/** Creates a function that returns the local time of a zone. */
export function createWallClock(timeZone: string): (time: Date) => WallTime {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return {
      day: [parts.get('year'), parts.get('month'), parts.get('day')].join('-'),
      hour: Number(parts.get('hour')),
    };
  };
}
