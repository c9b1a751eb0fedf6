import type { Holiday, ReadICalendarRequest, ReadICalendarResponse } from '@weir/workflow-contract/schemas';
import ICAL from 'ical.js';
import { iCalendarInvalid } from './calendar-errors';

const maxEvents = 2_000;
const maxHolidays = 5_000;
const maxNameLength = 200;
/** An event that lasts longer is no holiday, but for example a season. */
const maxDaysOfEvent = 31;
/** Yearly rules have at most this many dates in a year. */
const maxOccurrences = 10_000;

/**
 * Reads the dates of whole-day events and of their yearly repetitions. Throws `icalendar_invalid` for text that is not
 * iCalendar, and for one with too many events or dates.
 */
export function readICalendar({ text, from, to }: ReadICalendarRequest): ReadICalendarResponse {
  const events = parse(text);
  if (events.length > maxEvents) throw iCalendarInvalid(`has more than ${maxEvents} events`);
  const names = new Map<string, string>();
  let ignored = 0;
  const budget = { occurrences: maxOccurrences };
  for (const event of events) {
    // Changed single occurrences are listed with the event that they belong to.
    if (event.isRecurrenceException()) continue;
    if (!isWholeDay(event)) {
      ignored += 1;
      continue;
    }
    for (const { date, name } of listDates(event, { from, to }, budget)) {
      if (!names.has(date)) names.set(date, name);
    }
    if (names.size > maxHolidays) throw iCalendarInvalid(`has more than ${maxHolidays} holidays`);
  }
  const holidays = [...names].map(([date, name]): Holiday => ({ date, ...(name === '' ? {} : { name }) }));
  return { holidays: holidays.toSorted((left, right) => (left.date < right.date ? -1 : 1)), ignored };
}

function parse(text: string): readonly ICAL.Event[] {
  try {
    const root = new ICAL.Component(ICAL.parse(text) as unknown[]);
    if (root.name !== 'vcalendar') throw new Error('no VCALENDAR');
    return root.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  } catch {
    // Whatever the library throws says that the text has another form.
    throw iCalendarInvalid('is not in the form of RFC 5545');
  }
}

function isWholeDay(event: ICAL.Event): boolean {
  const status = event.component.getFirstPropertyValue('status');
  const start = event.component.getFirstPropertyValue('dtstart');
  if (!(start instanceof ICAL.Time) || !start.isDate || status === 'CANCELLED') return false;
  const rule = event.component.getFirstPropertyValue('rrule');
  return rule === null || (rule instanceof ICAL.Recur && isYearly(rule));
}

/**
 * Whether a rule repeats yearly by months, days and weekdays. Searching the dates of other rules, and of rules that
 * never come, takes the library long or forever.
 */
function isYearly(rule: ICAL.Recur): boolean {
  const { freq, interval, parts } = rule;
  const days = parts.BYMONTHDAY ?? [];
  const weekdays = parts.BYDAY ?? [];
  const isKnown = Object.keys(parts).every((part) => ['BYMONTH', 'BYMONTHDAY', 'BYDAY'].includes(part));
  if (freq !== 'YEARLY' || interval > 100 || !isKnown) return false;
  if (!weekdays.every((weekday) => /^(?:[+-]?[1-5])?(?:MO|TU|WE|TH|FR|SA|SU)$/.test(weekday))) return false;
  return weekdays.length === 0 || days.every((day) => Math.abs(day) <= 28);
}

interface Occurrence {
  readonly item: ICAL.Event;
  readonly startDate: ICAL.Time;
  readonly endDate: ICAL.Time | null;
}

interface DatedName {
  readonly date: string;
  readonly name: string;
}

function listDates(
  event: ICAL.Event,
  { from, to }: Pick<ReadICalendarRequest, 'from' | 'to'>,
  budget: { occurrences: number },
): readonly DatedName[] {
  if (!event.isRecurring()) return datesOf(event.startDate, event.endDate, event).filter(isIn);
  const found: DatedName[] = [];
  const rule = event.component.getFirstPropertyValue('rrule');
  const months = rule instanceof ICAL.Recur ? (rule.parts.BYMONTH ?? [event.startDate.month]) : undefined;
  const iterator = event.iterator();
  for (let next = iterator.next() as ICAL.Time | undefined; next; next = iterator.next() as ICAL.Time | undefined) {
    budget.occurrences -= 1;
    if (budget.occurrences < 0) throw iCalendarInvalid(`has more than ${maxOccurrences} repetitions`);
    if (dateOf(next) > to) break;
    // The library moves February 30 to March.
    if (months !== undefined && !months.map(Number).includes(next.month)) continue;
    // The library does not export the type of this answer.
    const { item, startDate, endDate } = event.getOccurrenceDetails(next) as unknown as Occurrence;
    if (item.component.getFirstPropertyValue('status') === 'CANCELLED' || !startDate.isDate) continue;
    found.push(...datesOf(startDate, endDate, item).filter(isIn));
  }
  return found;

  function isIn({ date }: DatedName): boolean {
    return date >= from && date <= to;
  }
}

/** The end of an event is the day after its last one. */
function datesOf(start: ICAL.Time, end: ICAL.Time | null, event: ICAL.Event): readonly DatedName[] {
  const first = Date.parse(`${dateOf(start)}T00:00:00Z`);
  const after = end === null ? first : Date.parse(`${dateOf(end)}T00:00:00Z`);
  const days = Math.min(Math.max(1, Math.round((after - first) / 86_400_000)), maxDaysOfEvent);
  // Its type does not say that an event may lack a summary.
  const summary: unknown = event.summary;
  const name = typeof summary === 'string' ? toLine(summary) : '';
  return Array.from({ length: days }, (_, index) => ({
    date: new Date(first + index * 86_400_000).toISOString().slice(0, 10),
    name,
  }));
}

function toLine(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)
    .trim();
}

function dateOf({ year, month, day }: ICAL.Time): string {
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}
