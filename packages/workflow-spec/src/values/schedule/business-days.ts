import { formatLocalTime } from './local-time';

/** The business days of an organisation. Dates are `YYYY-MM-DD`. */
export interface BusinessCalendar {
  readonly name: string;
  /** The IANA zone in which a time has its date. Default: the zone of the entry of the schedule. */
  readonly timeZone?: string | undefined;
  /** Weekdays that are business days, from 0 for Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** The names of holidays by date; empty for one without a name. */
  readonly holidays: ReadonlyMap<string, string>;
  /** Dates that are business days whatever their weekday, and although they may be holidays. */
  readonly extraBusinessDays: ReadonlySet<string>;
  /** The last date for which the calendar is maintained. Later dates count by the same rules. */
  readonly through?: string | undefined;
}

/** Returns the present content of a calendar; undefined when there is none of this name. */
export type FindCalendar = (name: string) => BusinessCalendar | undefined;

/** Which days of a calendar count for an entry of a schedule. */
export interface BusinessDayRule {
  readonly calendar: string;
  /** See {@link Schedule}. */
  readonly businessDays?: readonly number[] | undefined;
}

export function isBusinessDay(calendar: BusinessCalendar, date: string): boolean {
  if (calendar.extraBusinessDays.has(date)) return true;
  return !calendar.holidays.has(date) && calendar.weekdays.has(weekdayOf(date));
}

/** Says why a rule excludes a date, as in `holiday of calendar bank-de (New Year)`; undefined when the date counts. */
export function excludedBecause(rule: BusinessDayRule, calendar: BusinessCalendar, date: string): string | undefined {
  const { name, holidays } = calendar;
  if (!isBusinessDay(calendar, date)) {
    const holiday = holidays.get(date);
    if (holiday === undefined) return `not a business day of calendar ${name}`;
    return `holiday of calendar ${name}${holiday === '' ? '' : ` (${holiday})`}`;
  }
  const { businessDays } = rule;
  if (businessDays === undefined) return undefined;
  const days = listMonth(date).filter((day) => isBusinessDay(calendar, day));
  const index = days.indexOf(date);
  if (businessDays.includes(index + 1) || businessDays.includes(index - days.length)) return undefined;
  return `business day ${index + 1} of ${days.length} of its month in calendar ${name}, which the schedule does not choose`;
}

/** Returns the date that clocks of the zone show. */
export function localDate(timeZone: string, at: Date): string {
  return formatLocalTime(timeZone, at).slice(0, 10);
}

const hourMs = 3_600_000;

/** Returns a time of the same date in the zone that is near its beginning, usually the first one. */
export function beginningOfDate(timeZone: string, at: Date): Date {
  const shown = new Date(`${formatLocalTime(timeZone, at).slice(0, 19)}Z`).getTime();
  return sameDate(timeZone, at, at.getTime() - (shown % (24 * hourMs)), [-hourMs, 0, hourMs]);
}

/** Returns a time of the same date in the zone that is near its end, usually the last one. */
export function endOfDate(timeZone: string, at: Date): Date {
  const shown = new Date(`${formatLocalTime(timeZone, at).slice(0, 19)}Z`).getTime();
  const midnight = at.getTime() + 24 * hourMs - (shown % (24 * hourMs));
  return sameDate(timeZone, at, midnight - 1, [hourMs, 0, -hourMs]);
}

/** Dates on which clocks change are an hour shorter or longer. */
function sameDate(timeZone: string, at: Date, guess: number, corrections: readonly number[]): Date {
  const date = localDate(timeZone, at);
  const found = corrections.map((each) => new Date(guess + each)).find((time) => localDate(timeZone, time) === date);
  return found ?? at;
}

function listMonth(date: string): readonly string[] {
  const month = date.slice(0, 7);
  const last = new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();
  return Array.from({ length: last }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}
