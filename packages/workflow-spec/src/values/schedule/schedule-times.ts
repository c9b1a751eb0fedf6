import type { Schedule } from '../../model/schedule';
import { parseCron } from './cron';
import { listOccurrences, type Occurrence, type OccurrenceQuery } from './occurrences';
import type { RecurringTimes, TimeSpan } from './recurring-times';

export interface ScheduleTimesOptions {
  /** IANA zone of cron entries without a `CRON_TZ=` prefix. Default: the zone of the process. */
  readonly timeZone?: string | undefined;
  /** Maximum number of compiled expressions in the cache. Default: 1,000. */
  readonly maxCachedExpressions?: number;
}

/**
 * Calculates when schedule entries are due, in whole minutes. Entries that no parsed DAG can have are ignored. When
 * clocks skip an hour, occurrences in it are due at its end; when clocks repeat an hour, an entry with fixed hours is
 * due only in the first one, and an hourly entry in both.
 */
export interface ScheduleTimes {
  /** Returns the first time after `after` at which an entry is due; undefined when there is none. */
  next(schedule: readonly Schedule[], after: Date): Date | undefined;
  /** Returns the last `count` distinct times in the span, the earliest first. */
  last(schedule: readonly Schedule[], span: TimeSpan, count: number): readonly Date[];
  /** Returns the first occurrences after a time, with the effects of changes of clocks. */
  occurrences(schedule: readonly Schedule[], query: OccurrenceQuery): readonly Occurrence[];
}

export function createScheduleTimes({
  timeZone,
  maxCachedExpressions = 1000,
}: ScheduleTimesOptions = {}): ScheduleTimes {
  // Compiling an expression takes far longer than computing a time, and most DAGs share few expressions.
  const cache = new Map<string, RecurringTimes | undefined>();
  const getTimes = (expression: string): RecurringTimes | undefined => {
    const found = cache.has(expression) ? cache.get(expression) : compile(expression, timeZone);
    cache.delete(expression);
    cache.set(expression, found);
    const [oldest] = cache.keys();
    if (cache.size > maxCachedExpressions && oldest !== undefined) cache.delete(oldest);
    return found;
  };
  return {
    next: (schedule, after) => {
      const times = schedule.map((entry) =>
        entry.kind === 'at' ? timeAfter(entry.at, after) : getTimes(entry.expression)?.next(after)?.getTime(),
      );
      const earliest = Math.min(...times.map((time) => time ?? Infinity));
      return earliest === Infinity ? undefined : new Date(earliest);
    },
    last: (schedule, span, count) => {
      const times = schedule.flatMap((entry) =>
        entry.kind === 'at' ? [new Date(entry.at)] : (getTimes(entry.expression)?.last(span, count) ?? []),
      );
      const within = times.map((time) => time.getTime()).filter((time) => isWithin(time, span));
      const different = [...new Set(within)].sort((left, right) => left - right);
      return different.slice(-count).map((time) => new Date(time));
    },
    occurrences: (schedule, query) =>
      listOccurrences(schedule, query, (expression) => {
        const parsed = parseCron(expression, timeZone);
        return 'problem' in parsed ? undefined : parsed;
      }),
  };
}

function compile(expression: string, timeZone: string | undefined): RecurringTimes | undefined {
  const parsed = parseCron(expression, timeZone);
  return 'problem' in parsed ? undefined : parsed.times;
}

function timeAfter(at: string, after: Date): number | undefined {
  const time = new Date(at).getTime();
  return time > after.getTime() ? time : undefined;
}

function isWithin(time: number, { after, to }: TimeSpan): boolean {
  return time > after.getTime() && time <= to.getTime();
}
