import type { DagFlagRepository } from '../dags';
import { later } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';
import { schedulerItself, type SchedulerStateRepository } from './scheduler-state-repository';

export interface StartingPoint {
  /** From when on the slots of a DAG count that was there when the scheduler began. */
  of(dag: ScheduledDag): Date;
  /** Whether the DAG was known, with a catch-up window, to a scheduler before. */
  knows(dag: ScheduledDag): boolean;
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
  const last = watermarks.get(schedulerItself);
  const released = last === undefined ? undefined : await flags.listReleased(last);
  return {
    of: ({ fileName, name, catchupMs }) => {
      if (last === undefined || last > now) return now;
      const known = catchupMs > 0 ? (watermarks.get(name) ?? now) : last;
      return later(later(last, known), released?.get(fileName) ?? last);
    },
    knows: ({ name }) => watermarks.has(name),
  };
}
