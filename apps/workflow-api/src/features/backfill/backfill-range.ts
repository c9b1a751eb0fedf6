import type { Schedule } from '@weir/workflow-spec';
import type { Occurrence, ScheduleTimes } from '@weir/workflow-spec/schedule';
import { rangeEmpty, rangeNotPast } from './backfill-errors';

export interface BackfillRange {
  readonly from: Date;
  /** Inclusive. */
  readonly to: Date;
}

export const maxOccurrences = 1000;
/** A late scheduler may still be starting later occurrences. */
const notPastMs = 5 * 60_000;

/** Throws `range_empty` or `range_not_past`. */
export function readRange({ from, to }: { readonly from: string; readonly to: string }, now: Date): BackfillRange {
  const range = { from: new Date(from), to: new Date(to) };
  if (range.from > range.to) throw rangeEmpty();
  if (range.to.getTime() > now.getTime() - notPastMs) throw rangeNotPast();
  return range;
}

/** Lists the occurrences of a start schedule, at most one more than a backfill can have. Entries at the same time count once. */
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
