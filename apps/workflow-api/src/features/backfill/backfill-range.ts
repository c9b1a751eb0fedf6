import type { Occurrence, Schedule, ScheduleTimes } from '@weir/workflow-spec';
import { rangeEmpty, rangeNotPast } from './backfill-errors';

export interface BackfillRange {
  readonly from: Date;
  /** Inclusive. */
  readonly to: Date;
}

export const maxOccurrences = 1000;
/** What is later may be in the hands of a scheduler that is late. */
const notPastMs = 5 * 60_000;

/** Throws `range_empty` or `range_not_past`. */
export function readRange({ from, to }: { readonly from: string; readonly to: string }, now: Date): BackfillRange {
  const range = { from: new Date(from), to: new Date(to) };
  if (range.from > range.to) throw rangeEmpty();
  if (range.to.getTime() > now.getTime() - notPastMs) throw rangeNotPast();
  return range;
}

/** The occurrences of a start schedule, one more than a backfill can have at most. Entries at the same time are one. */
export function listRange(
  times: ScheduleTimes,
  schedule: readonly Schedule[],
  { from, to }: BackfillRange,
): readonly Occurrence[] {
  const after = new Date(from.getTime() - 1);
  const found = times.occurrences(schedule, { after, to, count: (maxOccurrences + 1) * Math.max(1, schedule.length) });
  return [...new Map(found.toReversed().map((occurrence) => [occurrence.at.getTime(), occurrence])).values()]
    .toReversed()
    .slice(0, maxOccurrences + 1);
}
