import {
  beginningOfDate,
  endOfDate,
  excludedBecause,
  localDate,
  type BusinessDayRule,
  type FindCalendar,
} from './business-days';
import type { RecurringTimes, TimeSpan } from './recurring-times';

/** A time that an entry names, and at which its calendar lets it start nothing. */
export interface ExcludedTime {
  readonly at: Date;
  /** Why, as in `holiday of calendar bank-de`. */
  readonly reason: string;
  /** Whether the calendar does not exist, so that no time of the entry counts. */
  readonly isUnknownCalendar: boolean;
}

export interface BusinessTimes extends RecurringTimes {
  /** At least the last `count` excluded times of the span, in no order. */
  excluded(span: TimeSpan, count: number): readonly ExcludedTime[];
}

export interface BusinessTimesOptions {
  readonly times: RecurringTimes;
  /** The zone of the entry. */
  readonly timeZone: string;
  readonly rule: BusinessDayRule;
  /** Asked at every call, because calendars change. */
  readonly findCalendar: FindCalendar;
}

/** A calendar may exclude every day, so a search ends after so many steps, of which each passes a date. */
const maxSteps = 4_000;

/** Leaves out the times of days that do not count. Without the calendar no day counts. */
export function limitToBusinessDays({ times, timeZone, rule, findCalendar }: BusinessTimesOptions): BusinessTimes {
  /** Reasons are remembered for one search: the times of a day share them. */
  const createCheck = () => {
    const calendar = findCalendar(rule.calendar);
    const zone = calendar?.timeZone ?? timeZone;
    const known = new Map<string, string | undefined>();
    const reasonAt = (at: Date): string | undefined => {
      if (calendar === undefined) return `calendar ${rule.calendar} does not exist`;
      const date = localDate(zone, at);
      if (!known.has(date)) known.set(date, excludedBecause(rule, calendar, date));
      return known.get(date);
    };
    return { isUnknown: calendar === undefined, zone, reasonAt };
  };

  return {
    next: (after) => {
      const { isUnknown, zone, reasonAt } = createCheck();
      if (isUnknown) return undefined;
      let at = times.next(after);
      for (let step = 0; at !== undefined && step < maxSteps; step += 1) {
        if (reasonAt(at) === undefined) return at;
        at = times.next(endOfDate(zone, at));
      }
      return undefined;
    },
    last: ({ after, to }, count) => {
      const { isUnknown, zone, reasonAt } = createCheck();
      const found: Date[] = [];
      if (isUnknown) return found;
      let end = to;
      for (let step = 0; found.length < count && step < maxSteps; step += 1) {
        const batch = times.last({ after, to: end }, count - found.length);
        const [earliest] = batch.toSorted((left, right) => left.getTime() - right.getTime());
        if (earliest === undefined) break;
        found.push(...batch.filter((at) => reasonAt(at) === undefined));
        const before = reasonAt(earliest) === undefined ? earliest : beginningOfDate(zone, earliest);
        end = new Date(before.getTime() - 1);
      }
      return found;
    },
    excluded: (span, count) => {
      const { isUnknown: isUnknownCalendar, reasonAt } = createCheck();
      return times.last(span, count).flatMap((at) => {
        const reason = reasonAt(at);
        return reason === undefined ? [] : [{ at, reason, isUnknownCalendar }];
      });
    },
    isMoved: (at) => times.isMoved(at),
  };
}
