import type { Schedule } from '../../model/schedule';
import type { ParsedCron } from './cron';
import { formatLocalTime, isRepeatedTime } from './local-time';

/** One moment that a schedule names, with the effect of a change of clocks. */
export interface Occurrence {
  readonly at: Date;
  /** The entry of the schedule, as written. */
  readonly entry: string;
  /** The time zone of the entry. */
  readonly timeZone: string;
  /** The time that clocks of the zone show, with their offset. */
  readonly localTime: string;
  /** `gap`: clocks skip the named time, so it is due at the end of the gap. `overlap`: clocks show this time twice. */
  readonly clockChange?: 'gap' | 'overlap';
}

export interface OccurrenceQuery {
  readonly after: Date;
  /** The end is inclusive. Default: no end. */
  readonly to?: Date | undefined;
  readonly count: number;
}

type EntryTimes = Pick<ParsedCron, 'times' | 'timeZone'>;

/** Lists the first occurrences of a schedule after a time, the earliest first. */
export function listOccurrences(
  schedule: readonly Schedule[],
  { after, to, count }: OccurrenceQuery,
  timesOf: (entry: Extract<Schedule, { readonly kind: 'cron' }>) => EntryTimes | undefined,
): readonly Occurrence[] {
  const isBeforeEnd = (at: Date): boolean => to === undefined || at <= to;
  const found = schedule.flatMap((entry): readonly Occurrence[] => {
    if (entry.kind === 'at') {
      const at = new Date(entry.at);
      return at > after && isBeforeEnd(at) ? [{ at, entry: entry.at, timeZone: 'UTC', localTime: entry.at }] : [];
    }
    const parsed = timesOf(entry);
    const occurrences: Occurrence[] = [];
    for (let at = parsed?.times.next(after); at && isBeforeEnd(at) && occurrences.length < count;) {
      occurrences.push(describe(at, entry.expression, parsed));
      at = parsed?.times.next(at);
    }
    return occurrences;
  });
  return found.toSorted((left, right) => left.at.getTime() - right.at.getTime()).slice(0, count);
}

function describe(at: Date, entry: string, parsed: EntryTimes | undefined): Occurrence {
  const timeZone = parsed?.timeZone ?? 'UTC';
  const occurrence = { at, entry, timeZone, localTime: formatLocalTime(timeZone, at) };
  if (parsed?.times.isMoved(at) === true) return { ...occurrence, clockChange: 'gap' };
  return isRepeatedTime(timeZone, at) ? { ...occurrence, clockChange: 'overlap' } : occurrence;
}
