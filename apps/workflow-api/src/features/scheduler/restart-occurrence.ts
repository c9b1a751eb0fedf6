import { isAppError } from '@weir/foundation';
import { runStatus, type Timer, type DagRunSummary, type Clock } from '@weir/workflow-engine/model';
import type { Logger } from '@weir/service-kit';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import { unaudited } from '../../access/audited-operation';
import type { DagRunRepository, StartRun } from '../runs';
import { readSource, type DagSourceDependencies } from './dag-source';
import { pause } from '../../adapters/pause';
import { profileAt } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';
import { isTransient, type OccurrenceOutcome } from './occurrence-outcome';
import { occurrenceRunId } from './occurrence-run-id';
import { stopForOccurrence, type StopOccurrenceDependencies } from './stop-occurrence';

export interface RestartOccurrenceDependencies extends StopOccurrenceDependencies, DagSourceDependencies {
  readonly runs: Pick<DagRunRepository, 'scan' | 'find' | 'findById'>;
  readonly startRun: StartRun;
  readonly times: ScheduleTimes;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Whether the schedule of the DAG is still followed. */
  readonly isStillScheduled: (dag: ScheduledDag) => boolean;
}

const pollMs = 500;
const endDeadlineMs = 10 * 60_000;

/**
 * Stops the active runs of a DAG, waits for their ends and for the restart wait of the DAG, and starts it with the
 * parameters of the newest of them, and with its profile when the schedule names none. Without an active run it only starts the DAG.
 */
export async function restartForOccurrence(
  dependencies: RestartOccurrenceDependencies,
  { dag, occurrence }: { readonly dag: ScheduledDag; readonly occurrence: Date },
  signal: AbortSignal,
): Promise<OccurrenceOutcome> {
  const { runs, timer, isStillScheduled } = dependencies;
  const dagRunId = occurrenceRunId('restart', dag.name, occurrence);
  if ((await runs.find(dag.name, dagRunId)) !== undefined) return 'exists';
  const stopped = await stopForOccurrence(dependencies, dag.name, occurrence);
  if (!(await waitForEnds(dependencies, stopped, signal))) return 'not_ended';
  if (stopped.length > 0) await pause(timer, dag.restartWaitMs, signal);
  // The DAG was suspended or changed meanwhile.
  if (signal.aborted || !isStillScheduled(dag)) return 'gone';
  const source = await readSource(dependencies, dag);
  if (source === undefined) return 'gone';
  try {
    const { startRun, times } = dependencies;
    await startRun(source, {
      dagRunId,
      params: stopped[0]?.params,
      triggerType: 'scheduler',
      startedBy: { kind: 'schedule' },
      scheduleTime: occurrence,
      profile: profileAt(dag.restart, occurrence, times) ?? stopped[0]?.profile ?? undefined,
      audit: unaudited,
    });
    return 'restarted';
  } catch (error) {
    if (isTransient(error)) throw error;
    if (isAppError(error) && error.reason === 'dag_run_exists') return 'exists';
    dependencies.logger.warn({ dagName: dag.name, occurrence, error }, 'scheduled run was refused');
    return 'refused';
  }
}

async function waitForEnds(
  { runs, clock, timer }: RestartOccurrenceDependencies,
  stopped: readonly DagRunSummary[],
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = clock.now().getTime() + endDeadlineMs;
  for (const { id } of stopped) {
    while (!signal.aborted) {
      const run = await runs.findById(id);
      if (run === undefined || runStatus.isTerminal(run.status)) break;
      if (clock.now().getTime() >= deadline) return false;
      await pause(timer, pollMs, signal);
    }
  }
  return true;
}
