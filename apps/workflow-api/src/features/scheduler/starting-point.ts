import type { DagFlagRepository } from '../dags';
import { later } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';
import { schedulerKey, type SchedulerStateRepository } from './scheduler-state-repository';

export interface StartingPoint {
  /** From when on the occurrences of a DAG count that was there when the scheduler began. */
  countsFrom(dag: ScheduledDag): Date;
  /** Whether the DAG was known, with a catch-up window, to a scheduler before. */
  isKnown(dag: ScheduledDag): boolean;
}

/**
 * Where an earlier scheduler left off. What lies before a DAG was known, or before it was released from suspension, is
 * not caught up; without an earlier scheduler nothing is.
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
      const knownSince = catchupMs > 0 ? (watermarks.get(name) ?? now) : last;
      return later(later(last, knownSince), released?.get(fileName) ?? last);
    },
    isKnown: ({ name }) => watermarks.has(name),
  };
}
