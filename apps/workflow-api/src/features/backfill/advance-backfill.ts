import { AppError, isAppError } from '@weir/foundation';
import { runStatus, type Clock, type RunSource } from '@weir/workflow-engine/model';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import { unaudited } from '../../access/audited-operation';
import type { DagRunRepository, StartRun } from '../runs';
import { occurrenceRunId, profileAt, readSource, type DagSourceDependencies } from '../scheduler';
import type { Backfill, BackfillRepository } from './backfill';
import { findOccurrenceRuns } from './occurrence-runs';

export interface AdvanceDependencies extends DagSourceDependencies {
  readonly backfills: BackfillRepository;
  readonly runs: Pick<DagRunRepository, 'listByRunIds'>;
  readonly startRun: StartRun;
  readonly times: ScheduleTimes;
  readonly clock: Clock;
}

/**
 * Starts runs of a backfill until the limit of active runs is reached, or all are started. Returns early when another
 * process or a cancellation has changed the backfill. Throws the errors of a start.
 */
export async function advanceBackfill(
  dependencies: AdvanceDependencies,
  backfill: Backfill,
  signal: AbortSignal,
): Promise<void> {
  const { backfills, runs, clock } = dependencies;
  const found = await findOccurrenceRuns(runs, backfill.dagName, backfill.occurrences);
  const isOwn = (run: { readonly createdAt: Date; readonly triggerType: string }): boolean =>
    run.createdAt >= backfill.createdAt && run.triggerType === 'catchup';
  let active = [...found.values()].filter((run) => isOwn(run) && runStatus.isActive(run.status)).length;
  let source: RunSource | undefined;
  let current = backfill;
  for (const occurrence of backfill.occurrences.slice(backfill.position)) {
    const run = found.get(occurrence.getTime());
    // A run that was started before a crash, or by another process, counts as started.
    let isStarted = run !== undefined && isOwn(run);
    if (run === undefined) {
      if (signal.aborted || active >= backfill.maxActive) return;
      // The backfill may have been cancelled.
      if ((await backfills.find(backfill.id))?.status !== 'active') return;
      source ??= await readBackfillSource(dependencies, backfill);
      isStarted = await start(dependencies, { backfill, source, occurrence });
      active += 1;
    }
    const step = {
      position: current.position + 1,
      started: current.started + (isStarted ? 1 : 0),
      existing: current.existing + (isStarted ? 0 : 1),
    };
    if (!(await backfills.advance(current, step))) return;
    current = { ...current, ...step };
  }
  await backfills.advance(current, { status: 'finished', endedAt: clock.now() });
}

async function readBackfillSource(dependencies: DagSourceDependencies, { fileName, dagName }: Backfill) {
  const source = await readSource(dependencies, { fileName, name: dagName });
  if (source !== undefined) return source;
  throw new AppError('not_found', `The file "${fileName}" is gone or holds another DAG.`, { reason: 'dag_not_found' });
}

interface Start {
  readonly backfill: Backfill;
  readonly source: RunSource;
  readonly occurrence: Date;
}

/** Returns false when the occurrence got a run meanwhile. */
async function start(
  { startRun, times }: AdvanceDependencies,
  { backfill, source, occurrence }: Start,
): Promise<boolean> {
  try {
    await startRun(source, {
      dagRunId: occurrenceRunId('catchup', backfill.dagName, occurrence),
      triggerType: 'catchup',
      startedBy: { kind: 'backfill', id: backfill.id, name: backfill.author },
      scheduleTime: occurrence,
      profile: profileAt(source.dag.schedule, occurrence, times),
      params: backfill.params ?? undefined,
      audit: unaudited,
    });
    return true;
  } catch (error) {
    if (isAppError(error) && error.reason === 'dag_run_exists') return false;
    throw error;
  }
}
