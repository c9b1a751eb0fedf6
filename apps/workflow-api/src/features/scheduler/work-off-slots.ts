import { isAppError } from '@weir/errors';
import type { RunSource } from '../dag-runs';
import { readSource, type DagSourceDependencies } from './dag-source';
import { before, dueActions, later, type DueSpan, type DueStart } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';
import type { PlannedDag } from './slot-book';
import type { SlotCounts } from './slot-counts';
import { mayWorkLater } from './slot-outcome';
import { lastScheduledSlot, startSlot, type StartSlotDependencies } from './start-slot';
import { stopSlot, type StopSlotDependencies } from './stop-slot';

export interface WorkOffDependencies extends StartSlotDependencies, DagSourceDependencies {
  readonly runs: StartSlotDependencies['runs'] & StopSlotDependencies['runs'];
  readonly stopper: StartSlotDependencies['stopper'] & StopSlotDependencies['stopper'];
  readonly counts: SlotCounts;
  /** Begins a restart and does not wait for its end. */
  readonly beginRestart: (dag: ScheduledDag, slot: Date) => void;
  readonly signal: AbortSignal;
}

/**
 * Does what is due for a DAG. Returns up to when its slots are worked off: not to the end when something failed that
 * may work later.
 */
export async function workOffSlots(
  dependencies: WorkOffDependencies,
  { dag, settledUntil }: PlannedDag,
  { to, lateMs }: Omit<DueSpan, 'after'>,
): Promise<Date> {
  const { runs, times, counts, stopper, beginRestart } = dependencies;
  const isBehind = before(to, lateMs) > settledUntil && dag.catchupMs > 0;
  const after = isBehind ? later(settledUntil, await lastScheduledSlot({ runs }, dag.name, to)) : settledUntil;
  const due = dueActions(dag, { after, to, lateMs }, times);
  if (due.missed > 0) counts.add('missed', dag, { count: due.missed });
  if (due.stop !== undefined) {
    const stopped = await stopSlot({ runs, stopper }, dag.name, due.stop);
    if (stopped.length > 0) counts.add('stopped', dag, { slot: due.stop, count: stopped.length });
  }
  if (due.restart !== undefined) beginRestart(dag, due.restart);
  return due.starts.length === 0 ? to : startAll(dependencies, dag, due.starts, to);
}

async function startAll(
  dependencies: WorkOffDependencies,
  dag: ScheduledDag,
  starts: readonly DueStart[],
  to: Date,
): Promise<Date> {
  const { counts, logger, signal } = dependencies;
  let source: RunSource | undefined;
  try {
    source = await readSource(dependencies, dag);
  } catch (error) {
    if (!isAppError(error) || mayWorkLater(error)) throw error;
    logger.warn({ dagName: dag.name, error }, 'scheduled run was refused');
    counts.add('refused', dag, { count: starts.length });
    return to;
  }
  if (source === undefined) {
    counts.add('gone', dag, { count: starts.length });
    return to;
  }
  for (const start of starts) {
    if (signal.aborted) return before(start.slot, 1);
    try {
      counts.add(await startSlot(dependencies, { dag, start, source }), dag, start);
    } catch (error) {
      logger.error({ dagName: dag.name, slot: start.slot, error }, 'slot could not be worked off, tried again');
      return before(start.slot, 1);
    }
  }
  return to;
}
