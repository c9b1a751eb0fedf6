import type { DagFlagRepository } from '../dags';
import { before, later } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';
import { schedulerKey, type SchedulerStateRepository } from './scheduler-state-repository';

const minuteMs = 60_000;

export interface StartingPoint {
  /** Returns the time from which occurrences count, for a DAG that existed when the scheduler started. */
  countsFrom(dag: ScheduledDag): Date;
  /** Whether a previous scheduler knew the DAG with a catch-up window. */
  isKnown(dag: ScheduledDag): boolean;
}

/**
 * Reads where the previous scheduler stopped. Occurrences from before the minute in which a DAG was first seen, or
 * from its suspension, are not caught up; without a previous scheduler none are.
 */
export async function readStartingPoint(
  { state, flags }: { readonly state: SchedulerStateRepository; readonly flags: DagFlagRepository },
  now: Date,
): Promise<StartingPoint> {
  const watermarks = await state.read();
  const last = watermarks.get(schedulerKey);
  const released = last === undefined ? undefined : await flags.listReleased(last);
  return {
    countsFrom: ({ fileName, name, catchupMs }) => {
      if (last === undefined || last > now) return now;
      const knownSince = catchupMs > 0 ? (watermarks.get(name) ?? before(now, minuteMs)) : last;
      return later(later(last, knownSince), released?.get(fileName) ?? last);
    },
    isKnown: ({ name }) => watermarks.has(name),
  };
}
