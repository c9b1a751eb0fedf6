import type { Cron } from 'croner';
import type { Schedule } from '../../model/schedule';
import { parseCron } from './cron';
import { listOccurrences, type Occurrence, type OccurrenceQuery } from './occurrences';

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

/** `after` is exclusive, `to` inclusive. */
export interface TimeSpan {
  readonly after: Date;
  readonly to: Date;
}

export function createScheduleTimes({
  timeZone,
  maxCachedExpressions = 1000,
}: ScheduleTimesOptions = {}): ScheduleTimes {
  // Compiling an expression takes far longer than computing a time, and most DAGs share few expressions.
  const cache = new Map<string, Cron | undefined>();
  const getCron = (expression: string): Cron | undefined => {
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
        entry.kind === 'at' ? timeAfter(entry.at, after) : getCron(entry.expression)?.nextRun(after)?.getTime(),
      );
      const earliest = Math.min(...times.map((time) => time ?? Infinity));
      return earliest === Infinity ? undefined : new Date(earliest);
    },
    last: (schedule, span, count) => {
      const times = schedule.flatMap((entry) =>
        entry.kind === 'at' ? [new Date(entry.at)] : findLast(getCron(entry.expression), span, count),
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

function compile(expression: string, timeZone: string | undefined): Cron | undefined {
  const parsed = parseCron(expression, timeZone);
  return 'problem' in parsed ? undefined : parsed.cron;
}

function timeAfter(at: string, after: Date): number | undefined {
  const time = new Date(at).getTime();
  return time > after.getTime() ? time : undefined;
}

function isWithin(time: number, { after, to }: TimeSpan): boolean {
  return time > after.getTime() && time <= to.getTime();
}

const batchGrowth = 16;
const minuteMs = 60_000;

function findLast(cron: Cron | undefined, span: TimeSpan, count: number): readonly Date[] {
  if (cron === undefined) return [];
  const minutes = (span.to.getTime() - span.after.getTime()) / minuteMs;
  return minutes <= count ? findForwards(cron, span) : findBackwards(cron, span, count);
}

function findForwards(cron: Cron, span: TimeSpan): readonly Date[] {
  const found: Date[] = [];
  for (let next = cron.nextRun(span.after); next !== null && next <= span.to; next = cron.nextRun(next)) {
    found.push(next);
  }
  return found;
}

/** Searches in growing batches: most spans hold few times, and each takes a while to find. */
function findBackwards(cron: Cron, span: TimeSpan, count: number): readonly Date[] {
  const found: Date[] = [];
  // croner excludes the time it searches back from.
  let before = new Date(span.to.getTime() + 1);
  for (let size = 1; found.length < count; size = Math.min(size * batchGrowth, count)) {
    const times = cron.previousRuns(Math.min(size, count - found.length), before);
    found.push(...times.filter((time) => isWithin(time.getTime(), span)));
    const earliest = times.at(-1);
    if (earliest === undefined || !isWithin(earliest.getTime(), span)) break;
    before = earliest;
  }
  return found;
}
