import { isAppError } from '@weir/foundation';
import { runStatus, type DagRunSummary, type RunSource } from '@weir/workflow-engine/model';
import type { Logger } from '@weir/service-kit';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import { unaudited } from '../../access/audited-operation';
import type { DagRunRepository, RunStopper, StartRun } from '../runs';
import { before, type DueStart } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';
import { isTransient, type OccurrenceOutcome } from './occurrence-outcome';
import { listOccurrenceRunIds, occurrenceRunId } from './occurrence-run-id';

export interface StartOccurrenceDependencies {
  readonly runs: Pick<DagRunRepository, 'listByRunIds' | 'scan'>;
  readonly startRun: StartRun;
  readonly stopper: Pick<RunStopper, 'dequeue'>;
  readonly times: ScheduleTimes;
  readonly logger: Logger;
}

export interface StartOutcome {
  readonly outcome: OccurrenceOutcome;
  /** The reason why it was refused. */
  readonly error?: string;
}

const everywhere = { unassigned: true, named: 'all' } as const;
const scannedRuns = 100;
/**
 * Queues the run of an occurrence unless a rule of the DAG or another scheduler prevents it. Throws transient failures.
 */
export async function startForOccurrence(
  dependencies: StartOccurrenceDependencies,
  { dag, start, source }: { readonly dag: ScheduledDag; readonly start: DueStart; readonly source: RunSource },
): Promise<StartOutcome> {
  const { runs, startRun, logger } = dependencies;
  const { occurrence, kind, profile } = start;
  const found = await runs.listByRunIds(dag.name, listOccurrenceRunIds(dag.name, occurrence));
  if (found.size > 0) return { outcome: 'exists' };
  if (dag.isSkippedAfterSuccess && (await hasSucceededSince(dependencies, dag, occurrence)))
    return { outcome: 'successful' };
  if (dag.overlap === 'latest') await dequeueScheduled(dependencies, dag.name, occurrence);
  try {
    await startRun(source, {
      dagRunId: occurrenceRunId(kind, dag.name, occurrence),
      triggerType: kind === 'catchup' ? 'catchup' : 'scheduler',
      startedBy: { kind: 'schedule' },
      scheduleTime: occurrence,
      profile,
      singleton: dag.overlap === 'skip',
      audit: unaudited,
    });
    return { outcome: kind === 'catchup' ? 'caught_up' : 'started' };
  } catch (error) {
    if (isTransient(error)) throw error;
    const reason = isAppError(error) ? error.reason : undefined;
    if (reason === 'dag_run_exists') return { outcome: 'exists' };
    if (reason === 'dag_run_active') return { outcome: 'active' };
    logger.warn({ dagName: dag.name, occurrence, error }, 'scheduled run was refused');
    return { outcome: 'refused', error: isAppError(error) ? error.message : 'The run could not be made.' };
  }
}

/**
 * The run of the previous occurrence itself does not count: otherwise only every second occurrence would start a run.
 */
async function hasSucceededSince(
  { runs, times }: StartOccurrenceDependencies,
  { name, start }: ScheduledDag,
  occurrence: Date,
): Promise<boolean> {
  const [previous] = times.last(start, { after: new Date(0), to: before(occurrence, 1) }, 1);
  if (previous === undefined) return false;
  const statuses = runStatus.all.filter(runStatus.isSuccessful);
  const found = await runs.scan({
    dagName: name,
    statuses,
    from: previous,
    workspaces: everywhere,
    limit: scannedRuns,
  });
  return found.some(({ scheduleTime }) => scheduleTime === null || scheduleTime > previous);
}

/** Dequeues the runs of earlier occurrences; without an occurrence, all runs of the scheduler. */
export async function dequeueScheduled(
  { runs, stopper }: Pick<StartOccurrenceDependencies, 'runs' | 'stopper'>,
  dagName: string,
  earlierThan?: Date,
): Promise<void> {
  const statuses = runStatus.all.filter(runStatus.isQueued);
  const scan = { dagName, statuses, workspaces: everywhere, limit: scannedRuns };
  for (let after: DagRunSummary | undefined; ;) {
    const page = await runs.scan({ ...scan, after });
    for (const run of page) {
      if (!isScheduled(run) || run.scheduleTime === null) continue;
      if (earlierThan !== undefined && run.scheduleTime >= earlierThan) continue;
      // A run that a worker has claimed meanwhile continues.
      await stopper.dequeue(run, unaudited).catch((error: unknown) => {
        if (!isAppError(error) || error.reason !== 'not_queued') throw error;
      });
    }
    after = page.at(-1);
    if (page.length < scannedRuns) return;
  }
}

/** Finds the newest occurrence up to `to` that has a run, among the newest runs of the DAG. */
export async function findLastOccurrence(
  { runs }: Pick<StartOccurrenceDependencies, 'runs'>,
  dagName: string,
  to: Date,
): Promise<Date> {
  const found = await runs.scan({ dagName, workspaces: everywhere, limit: scannedRuns });
  const occurrences = found.filter(isScheduled).map(({ scheduleTime }) => scheduleTime?.getTime() ?? 0);
  return new Date(Math.max(0, ...occurrences.filter((occurrence) => occurrence <= to.getTime())));
}

function isScheduled({ triggerType }: DagRunSummary): boolean {
  return triggerType === 'scheduler' || triggerType === 'catchup';
}
