import type { Cron } from 'croner';
import type { Schedule } from '../model/schedule';
import { parseCron } from './cron';

export interface ScheduleTimesOptions {
  /** An IANA name for cron entries without a `CRON_TZ=` prefix; by default the zone of the process. */
  readonly timeZone?: string | undefined;
  /** Compiled expressions that are kept, the last used ones. Default 1,000. */
  readonly maxCachedExpressions?: number;
}

/**
 * When entries are due, each of them at full minutes. An entry that no parsed DAG can hold is left out. Where a
 * clock skips an hour, what is due in it is due at its end; where a clock repeats an hour, an entry with fixed hours
 * is due in the first one only, and one of every hour in both.
 */
export interface ScheduleTimes {
  /** The first time after `after` at which one of the entries is due; nothing when none ever is again. */
  next(schedule: readonly Schedule[], after: Date): Date | undefined;
  /** The last `count` different times up to `to`, itself included, and after `after`; the earliest first. */
  last(schedule: readonly Schedule[], span: TimeSpan, count: number): readonly Date[];
}

/** From a moment, itself left out, to another, itself included. */
export interface TimeSpan {
  readonly after: Date;
  readonly to: Date;
}

export function createScheduleTimes({
  timeZone,
  maxCachedExpressions = 1000,
}: ScheduleTimesOptions = {}): ScheduleTimes {
  // To compile an expression takes many times as long as to ask for a time, and most DAGs share few expressions.
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

/** Asked for in growing stretches: most spans hold few times, and each of them takes a while to find. */
function findBackwards(cron: Cron, span: TimeSpan, count: number): readonly Date[] {
  const found: Date[] = [];
  // The library leaves out the moment that it looks back from.
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
