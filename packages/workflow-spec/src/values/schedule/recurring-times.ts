import type { Cron } from 'croner';
import { findOffsetChange, zoneOffset } from './local-time';

/** `after` is exclusive, `to` inclusive. */
export interface TimeSpan {
  readonly after: Date;
  readonly to: Date;
}

/** The times of an entry that is due again and again. */
export interface RecurringTimes {
  /** The first time after `after`; undefined when there is none. */
  next(after: Date): Date | undefined;
  /** At least the last `count` distinct times in the span, in no order. */
  last(span: TimeSpan, count: number): readonly Date[];
  /** Whether the time is due only because clocks skip the one that the entry names. */
  isMoved(at: Date): boolean;
}

const minuteMs = 60_000;

/** Times that are a multiple of `minutes` away from the beginning of 1970 in UTC, so that a restart moves none. */
export function createIntervalTimes(minutes: number): RecurringTimes {
  const periodMs = minutes * minuteMs;
  return {
    next: (after) => new Date((Math.floor(after.getTime() / periodMs) + 1) * periodMs),
    last: ({ after, to }, count) => {
      const found: Date[] = [];
      for (let at = Math.floor(to.getTime() / periodMs) * periodMs; at > after.getTime(); at -= periodMs) {
        if (found.length === count) break;
        found.push(new Date(at));
      }
      return found;
    },
    isMoved: () => false,
  };
}

export interface CronTimesOptions {
  /** Compiled for UTC. It is asked for what clocks show, as if that were a time in UTC. */
  readonly cron: Cron;
  readonly timeZone: string;
  /** Whether the entry names all hours, or every n-th, so that it is due again in an hour that clocks repeat. */
  readonly isHourly: boolean;
}

/** Clocks are set back by at most this. */
const longestOverlapMs = 3 * 60 * minuteMs;
/** Beyond the largest offset of a zone, so that an offset on either side of a time on a clock can be told. */
const beyondOffsetsMs = 26 * 60 * minuteMs;
const batchGrowth = 16;

/**
 * The times at which clocks of a zone show what an expression names. One rule for all expressions: a time that clocks
 * skip is due at the end of what they skip, once for all that end there; a time that they show twice is due when they
 * show it first, and for an hourly entry both times.
 */
export function createCronTimes({ cron, timeZone, isHourly }: CronTimesOptions): RecurringTimes {
  const offsetMs = (at: number): number => zoneOffset(timeZone, new Date(at)) * minuteMs;

  /** The moments at which an occurrence is due that clocks name so, the earliest first. */
  const momentsOf = (shown: number): readonly number[] => {
    const before = offsetMs(shown - beyondOffsetsMs);
    const after = offsetMs(shown + beyondOffsetsMs);
    const first = shown - Math.max(before, after);
    const second = shown - Math.min(before, after);
    const found = [...new Set([first, second])].filter((at) => at + offsetMs(at) === shown);
    if (found.length === 0) return [findOffsetChange(timeZone, first, second)];
    return isHourly ? found : found.slice(0, 1);
  };

  const nextShown = (shown: number): number | undefined => cron.nextRun(new Date(shown))?.getTime();

  /** An hourly entry is due in a repeated hour before clocks show what follows it. */
  const nextInRepeat = (after: number): number => {
    const later = after + longestOverlapMs;
    if (!isHourly || offsetMs(later) >= offsetMs(after)) return Infinity;
    const change = findOffsetChange(timeZone, after, later);
    return (nextShown(change + offsetMs(change) - 1) ?? Infinity) - offsetMs(change);
  };

  return {
    next: (after) => {
      const from = after.getTime();
      for (let shown = nextShown(from + offsetMs(from)); shown !== undefined; shown = nextShown(shown)) {
        const at = momentsOf(shown).find((moment) => moment > from);
        if (at !== undefined) return new Date(Math.min(at, nextInRepeat(from)));
      }
      return undefined;
    },

    last: ({ after, to }, count) => {
      const [start, end] = [after.getTime(), to.getTime()];
      const found = new Set<number>();
      // croner excludes the time it searches back from.
      let before = end + Math.max(offsetMs(end), offsetMs(end - longestOverlapMs)) + 1;
      // Searched in growing batches: most spans hold few times, and each takes a while to find.
      for (let size = 1; ; size = Math.min(size * batchGrowth, Math.max(count, 1))) {
        const shown = cron.previousRuns(size, new Date(before)).map((time) => time.getTime());
        const earliest = shown.at(-1);
        for (const at of shown.flatMap(momentsOf)) if (at > start && at <= end) found.add(at);
        if (earliest === undefined) break;
        const latestLeft = momentsOf(earliest).at(-1) ?? start;
        const wanted = [...found].toSorted((left, right) => right - left)[count - 1];
        if (latestLeft <= start || (wanted !== undefined && latestLeft <= wanted)) break;
        before = earliest;
      }
      return [...found].map((at) => new Date(at));
    },

    isMoved: (at) => !cron.match(new Date(at.getTime() + offsetMs(at.getTime()))),
  };
}
