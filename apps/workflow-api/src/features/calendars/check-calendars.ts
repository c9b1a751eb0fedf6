import type { Clock } from '@weir/workflow-engine/model';
import type { Finding, Schedule } from '@weir/workflow-spec';
import type { FindCalendar } from '@weir/workflow-spec/schedule';
import type { CheckDag } from '../../dag-parser';
import type { CalendarBook } from './calendar-book';

/** What is to be known about the calendars that a schedule names. */
export interface CalendarFacts {
  /** Calendars that do not exist. */
  readonly unknown: readonly string[];
  /** Calendars whose last maintained date has passed. */
  readonly ended: readonly { readonly name: string; readonly through: string }[];
}

export function checkCalendars(schedule: readonly Schedule[], find: FindCalendar, now: Date): CalendarFacts {
  const names = namedCalendars(schedule);
  const today = now.toISOString().slice(0, 10);
  const unknown = [...names].filter((name) => find(name) === undefined);
  const ended = [...names].flatMap((name) => {
    const through = find(name)?.through;
    return through === undefined || through >= today ? [] : [{ name, through }];
  });
  return { unknown, ended };
}

export const unknownMessage = (name: string): string =>
  `There is no calendar ${name}: entries of the schedule that name it start nothing.`;
export const endedMessage = (name: string, through: string): string =>
  `The calendar ${name} is maintained only until ${through}: later holidays are not known, and runs start on them.`;

export function namedCalendars(schedule: readonly Schedule[]): ReadonlySet<string> {
  return new Set(schedule.flatMap((entry) => (entry.kind === 'cron' ? (entry.calendar ?? []) : [])));
}

/** Warns of unknown and of ended calendars. A DAG without any costs nothing. */
export function createCalendarCheck(book: Pick<CalendarBook, 'find' | 'ready'>, clock: Clock): CheckDag {
  return async (text, { schedule }) => {
    if (namedCalendars(schedule).size === 0) return [];
    await book.ready();
    return toFindings(text, checkCalendars(schedule, book.find, clock.now()));
  };
}

/** They are where the text names the calendar first. */
function toFindings(text: string, { unknown, ended }: CalendarFacts): readonly Finding[] {
  const warn = (code: string, name: string, message: string): Finding => ({
    code,
    severity: 'warning',
    path: '/schedule',
    message,
    ...locate(text, name),
  });
  return [
    ...unknown.map((name) => warn('unknown_calendar', name, unknownMessage(name))),
    ...ended.map(({ name, through }) => warn('calendar_ended', name, endedMessage(name, through))),
  ];
}

type Location = Omit<Finding, 'code' | 'severity' | 'path' | 'message'>;

/** The name may also come from a base configuration or an alias; then the beginning of the text stands for it. */
function locate(text: string, name: string): Location {
  const found = new RegExp(`\\bcalendar["']?\\s*:\\s*["']?(${name})(?![A-Za-z0-9_-])`, 'd').exec(text);
  const [start, end] = found?.indices?.[1] ?? [0, 0];
  const before = text.slice(0, start);
  const line = before.split('\n').length;
  const column = start - (before.lastIndexOf('\n') + 1) + 1;
  const startByte = Buffer.byteLength(before);
  const length = end - start;
  return { line, column, endLine: line, endColumn: column + length, startByte, endByte: startByte + length };
}
