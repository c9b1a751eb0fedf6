import type { Schedule } from '@weir/workflow-spec';
import type { Occurrence, ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { ListedDag } from './dag-entry';

export interface OccurrenceRange {
  readonly after: Date;
  /** Inclusive. */
  readonly to?: Date | undefined;
  readonly count: number;
}

export interface DagOccurrence extends Occurrence {
  readonly action: 'start' | 'stop' | 'restart';
}

/** Lists the occurrences of a DAG in a range of time, the earliest first. */
export function listDagOccurrences(
  times: ScheduleTimes,
  {
    schedule,
    stopSchedule = [],
    restartSchedule = [],
  }: Pick<ListedDag, 'schedule' | 'stopSchedule' | 'restartSchedule'>,
  range: OccurrenceRange,
): readonly DagOccurrence[] {
  const list = (entries: readonly Schedule[], action: DagOccurrence['action']) =>
    times.occurrences(entries, range).map((occurrence) => ({ ...occurrence, action }));
  const found = [...list(schedule, 'start'), ...list(stopSchedule, 'stop'), ...list(restartSchedule, 'restart')];
  return found.toSorted(byTime).slice(0, range.count);
}

export function byTime(left: Pick<Occurrence, 'at'>, right: Pick<Occurrence, 'at'>): number {
  return left.at.getTime() - right.at.getTime();
}

export function presentOccurrence({ at, action, entry, timeZone, localTime, clockChange }: DagOccurrence) {
  return {
    time: at.toISOString(),
    action,
    entry,
    timeZone,
    localTime,
    ...(clockChange === undefined ? {} : { clockChange }),
  };
}
