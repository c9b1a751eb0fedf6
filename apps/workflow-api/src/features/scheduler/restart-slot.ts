import { isAppError } from '@weir/errors';
import { isTerminalRun, type Timer } from '@weir/workflow-engine';
import type { Logger } from '@weir/service-kit';
import type { Clock } from '../../adapters/clock';
import type { DagRunRepository, DagRunSummary, StartRun } from '../dag-runs';
import { readSource, type DagSourceDependencies } from './dag-source';
import { pause } from './pause';
import type { ScheduledDag } from './scheduled-dag';
import { mayWorkLater, type SlotOutcome } from './slot-outcome';
import { slotRunId } from './slot-run-id';
import { stopSlot, type StopSlotDependencies } from './stop-slot';

export interface RestartSlotDependencies extends StopSlotDependencies, DagSourceDependencies {
  readonly runs: Pick<DagRunRepository, 'scan' | 'find' | 'findById'>;
  readonly startRun: StartRun;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Whether the DAG is still to be started by its schedule. */
  readonly isWanted: (dag: ScheduledDag) => boolean;
}

const lookMs = 500;
const endDeadlineMs = 10 * 60_000;

/**
 * Ends the active runs of a DAG, waits for that and for as long as the DAG wants, and starts it again with the
 * parameters of the newest of them. Where none is active it is started all the same.
 */
export async function restartSlot(
  dependencies: RestartSlotDependencies,
  { dag, slot }: { readonly dag: ScheduledDag; readonly slot: Date },
  signal: AbortSignal,
): Promise<SlotOutcome> {
  const { runs, timer, isWanted } = dependencies;
  const dagRunId = slotRunId('restart', dag.name, slot);
  if ((await runs.find(dag.name, dagRunId)) !== undefined) return 'exists';
  const stopped = await stopSlot(dependencies, dag.name, slot);
  if (!(await haveEnded(dependencies, stopped, signal))) return 'not_ended';
  if (stopped.length > 0) await pause(timer, dag.restartWaitMs, signal);
  // Suspended, or changed, in the meantime.
  if (signal.aborted || !isWanted(dag)) return 'gone';
  const source = await readSource(dependencies, dag);
  if (source === undefined) return 'gone';
  try {
    const { startRun } = dependencies;
    await startRun(source, { dagRunId, params: stopped[0]?.params, triggerType: 'scheduler', scheduleTime: slot });
    return 'restarted';
  } catch (error) {
    if (mayWorkLater(error)) throw error;
    if (isAppError(error) && error.reason === 'dag_run_exists') return 'exists';
    dependencies.logger.warn({ dagName: dag.name, slot, error }, 'scheduled run was refused');
    return 'refused';
  }
}

async function haveEnded(
  { runs, clock, timer }: RestartSlotDependencies,
  stopped: readonly DagRunSummary[],
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = clock.now().getTime() + endDeadlineMs;
  for (const { id } of stopped) {
    while (!signal.aborted) {
      const run = await runs.findById(id);
      if (run === undefined || isTerminalRun(run.status)) break;
      if (clock.now().getTime() >= deadline) return false;
      await pause(timer, lookMs, signal);
    }
  }
  return true;
}
