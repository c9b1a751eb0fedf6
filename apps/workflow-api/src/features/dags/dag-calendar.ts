import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { DagEntry } from './dag-entry';
import { byTime, listDagOccurrences, type DagOccurrence } from './dag-occurrences';

export interface CalendarRange {
  readonly after: Date;
  /** Inclusive. */
  readonly to: Date;
  readonly count: number;
}

export interface CalendarOccurrence extends DagOccurrence {
  readonly fileName: string;
  readonly name: string;
}

const firstSpanMs = 5 * 60_000;

/**
 * Lists the first occurrences of many DAGs in a range. The range is searched in growing spans, so that the cost
 * depends on the number of found occurrences and not on the range: a thousand DAGs that are due each minute have a
 * million occurrences in a day.
 */
export function listCalendar(
  times: ScheduleTimes,
  entries: readonly Pick<DagEntry, 'fileName' | 'dag'>[],
  { after, to, count }: CalendarRange,
): readonly CalendarOccurrence[] {
  const pending = entries
    .map((entry) => ({ entry, nextMs: nextMs(times, entry, after) }))
    .filter((each) => each.nextMs <= to.getTime());
  const found: CalendarOccurrence[] = [];
  let from = after;
  for (let spanMs = firstSpanMs; from < to && found.length < count; spanMs *= 2) {
    const end = new Date(Math.min(from.getTime() + spanMs, to.getTime()));
    const inSpan: CalendarOccurrence[] = [];
    for (const each of pending) {
      if (each.nextMs > end.getTime()) continue;
      const { fileName, dag } = each.entry;
      for (const occurrence of listDagOccurrences(times, dag, { after: from, to: end, count })) {
        inSpan.push({ ...occurrence, fileName, name: dag.name });
      }
      each.nextMs = nextMs(times, each.entry, end);
    }
    found.push(...inSpan.sort(byTime));
    from = end;
  }
  return found.slice(0, count);
}

function nextMs(times: ScheduleTimes, { dag }: Pick<DagEntry, 'dag'>, after: Date): number {
  const { schedule, stopSchedule = [], restartSchedule = [] } = dag;
  return times.next([...schedule, ...stopSchedule, ...restartSchedule], after)?.getTime() ?? Infinity;
}
