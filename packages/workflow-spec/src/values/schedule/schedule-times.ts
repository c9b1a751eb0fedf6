import type { Schedule } from '../../model/schedule';
import type { FindCalendar } from './business-days';
import { limitToBusinessDays, type BusinessTimes, type ExcludedTime } from './business-times';
import { parseCron, type ParsedCron } from './cron';
import { listOccurrences, type Occurrence, type OccurrenceQuery } from './occurrences';
import type { RecurringTimes, TimeSpan } from './recurring-times';

export interface ScheduleTimesOptions {
  /** IANA zone of cron entries without a `CRON_TZ=` prefix. Default: the zone of the process. */
  readonly timeZone?: string | undefined;
  /** Finds the calendars that entries name. Default: there are none, and such entries are never due. */
  readonly findCalendar?: FindCalendar | undefined;
  /** Maximum number of compiled expressions in the cache. Default: 1,000. */
  readonly maxCachedExpressions?: number;
}

/**
 * Calculates when schedule entries are due, in whole minutes. Entries that no parsed DAG can have are ignored. When
 * clocks skip an hour, occurrences in it are due at its end; when clocks repeat an hour, an entry with fixed hours is
 * due only in the first one, and an hourly entry in both. An entry with a calendar is due on its business days only.
 */
export interface ScheduleTimes {
  /** Returns the first time after `after` at which an entry is due; undefined when there is none. */
  next(schedule: readonly Schedule[], after: Date): Date | undefined;
  /** As `next`, but also finds the times that a calendar excludes. */
  nextNamed(schedule: readonly Schedule[], after: Date): Date | undefined;
  /** Returns the last `count` distinct times in the span, the earliest first. */
  last(schedule: readonly Schedule[], span: TimeSpan, count: number): readonly Date[];
  /**
   * Returns those of the last `count` named times of each entry in the span at which a calendar excludes the entry and
   * no other entry is due, the earliest first.
   */
  excluded(schedule: readonly Schedule[], span: TimeSpan, count: number): readonly ExcludedTime[];
  /** Returns the first occurrences after a time, with the effects of changes of clocks. */
  occurrences(schedule: readonly Schedule[], query: OccurrenceQuery): readonly Occurrence[];
}

type CronEntry = Extract<Schedule, { readonly kind: 'cron' }>;

const none: FindCalendar = () => undefined;

export function createScheduleTimes({
  timeZone,
  findCalendar = none,
  maxCachedExpressions = 1000,
}: ScheduleTimesOptions = {}): ScheduleTimes {
  // Compiling an expression takes far longer than computing a time, and most DAGs share few expressions.
  const cache = new Map<string, ParsedCron | undefined>();
  const parse = (expression: string): ParsedCron | undefined => {
    const found = cache.has(expression) ? cache.get(expression) : compile(expression, timeZone);
    cache.delete(expression);
    cache.set(expression, found);
    const [oldest] = cache.keys();
    if (cache.size > maxCachedExpressions && oldest !== undefined) cache.delete(oldest);
    return found;
  };
  const businessTimes = ({ expression, calendar, businessDays }: CronEntry): BusinessTimes | undefined => {
    const parsed = calendar === undefined ? undefined : parse(expression);
    if (calendar === undefined || parsed === undefined) return undefined;
    const { times } = parsed;
    return limitToBusinessDays({ times, timeZone: parsed.timeZone, rule: { calendar, businessDays }, findCalendar });
  };
  const dueTimes = (entry: CronEntry): RecurringTimes | undefined =>
    entry.calendar === undefined ? parse(entry.expression)?.times : businessTimes(entry);
  const earliest = (
    schedule: readonly Schedule[],
    after: Date,
    timesOf: (entry: CronEntry) => RecurringTimes | undefined,
  ): Date | undefined => {
    const times = schedule.map((entry) =>
      entry.kind === 'at' ? timeAfter(entry.at, after) : timesOf(entry)?.next(after)?.getTime(),
    );
    const first = Math.min(...times.map((time) => time ?? Infinity));
    return first === Infinity ? undefined : new Date(first);
  };
  const last: ScheduleTimes['last'] = (schedule, span, count) => {
    const times = schedule.flatMap((entry) =>
      entry.kind === 'at' ? [new Date(entry.at)] : (dueTimes(entry)?.last(span, count) ?? []),
    );
    const within = times.map((time) => time.getTime()).filter((time) => isWithin(time, span));
    const different = [...new Set(within)].sort((left, right) => left - right);
    return different.slice(-count).map((time) => new Date(time));
  };
  return {
    next: (schedule, after) => earliest(schedule, after, dueTimes),
    nextNamed: (schedule, after) => earliest(schedule, after, ({ expression }) => parse(expression)?.times),
    last,
    excluded: (schedule, span, count) => {
      const excluded = schedule.flatMap((entry) =>
        entry.kind === 'at' ? [] : (businessTimes(entry)?.excluded(span, count) ?? []),
      );
      if (excluded.length === 0) return [];
      const due = new Set(last(schedule, span, count * schedule.length).map((time) => time.getTime()));
      // Where several entries name a time, one of them says why it does not count.
      const byTime = new Map(excluded.map((each) => [each.at.getTime(), each]));
      return [...byTime.values()]
        .filter(({ at }) => !due.has(at.getTime()) && isWithin(at.getTime(), span))
        .sort((left, right) => left.at.getTime() - right.at.getTime());
    },
    occurrences: (schedule, query) =>
      listOccurrences(schedule, query, (entry) => {
        const [parsed, times] = [parse(entry.expression), dueTimes(entry)];
        return parsed && times && { timeZone: parsed.timeZone, times };
      }),
  };
}

function compile(expression: string, timeZone: string | undefined): ParsedCron | undefined {
  const parsed = parseCron(expression, timeZone);
  return 'problem' in parsed ? undefined : parsed;
}

function timeAfter(at: string, after: Date): number | undefined {
  const time = new Date(at).getTime();
  return time > after.getTime() ? time : undefined;
}

function isWithin(time: number, { after, to }: TimeSpan): boolean {
  return time > after.getTime() && time <= to.getTime();
}
