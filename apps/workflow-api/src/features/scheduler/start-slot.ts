import { isAppError } from '@weir/errors';
import { isQueuedRun, isSuccessfulRun, runStatuses } from '@weir/workflow-engine';
import type { Logger } from '@weir/service-kit';
import type { ScheduleTimes } from '@weir/workflow-spec';
import type { DagRunRepository, DagRunSummary, RunSource, RunStopper, StartRun } from '../dag-runs';
import { before, type DueStart, type StartKind } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';
import { mayWorkLater, type SlotOutcome } from './slot-outcome';
import { slotRunId } from './slot-run-id';

export interface StartSlotDependencies {
  readonly runs: Pick<DagRunRepository, 'find' | 'scan'>;
  readonly startRun: StartRun;
  readonly stopper: Pick<RunStopper, 'dequeue'>;
  readonly times: ScheduleTimes;
  readonly logger: Logger;
}

const everywhere = { unassigned: true, named: 'all' } as const;
const scannedRuns = 100;
const otherKinds: Readonly<Record<StartKind, readonly StartKind[]>> = {
  scheduled: ['scheduled', 'catchup'],
  catchup: ['catchup', 'scheduled'],
  oneoff: ['oneoff'],
};

/** Queues the run of a slot unless a rule of the DAG, or another scheduler, was first. Throws what may work later. */
export async function startSlot(
  dependencies: StartSlotDependencies,
  { dag, start, source }: { readonly dag: ScheduledDag; readonly start: DueStart; readonly source: RunSource },
): Promise<SlotOutcome> {
  const { runs, startRun, logger } = dependencies;
  const { slot, kind } = start;
  for (const other of otherKinds[kind]) {
    if ((await runs.find(dag.name, slotRunId(other, dag.name, slot))) !== undefined) return 'exists';
  }
  if (dag.isSkippedAfterSuccess && (await hasSucceededSince(dependencies, dag, slot))) return 'successful';
  if (dag.overlap === 'latest') await dropQueued(dependencies, dag.name, slot);
  try {
    await startRun(source, {
      dagRunId: slotRunId(kind, dag.name, slot),
      triggerType: kind === 'catchup' ? 'catchup' : 'scheduler',
      scheduleTime: slot,
      singleton: dag.overlap === 'skip',
    });
    return kind === 'catchup' ? 'caught_up' : 'started';
  } catch (error) {
    if (mayWorkLater(error)) throw error;
    const reason = isAppError(error) ? error.reason : undefined;
    if (reason === 'dag_run_exists') return 'exists';
    if (reason === 'dag_run_active') return 'active';
    logger.warn({ dagName: dag.name, slot, error }, 'scheduled run was refused');
    return 'refused';
  }
}

/** Apart from the run of the slot before itself, which would let only every second slot be. */
async function hasSucceededSince(
  { runs, times }: StartSlotDependencies,
  { name, start }: ScheduledDag,
  slot: Date,
): Promise<boolean> {
  const [previous] = times.last(start, { after: new Date(0), to: before(slot, 1) }, 1);
  if (previous === undefined) return false;
  const statuses = runStatuses.filter(isSuccessfulRun);
  const found = await runs.scan({
    dagName: name,
    statuses,
    from: previous,
    workspaces: everywhere,
    limit: scannedRuns,
  });
  return found.some(({ scheduleTime }) => scheduleTime === null || scheduleTime > previous);
}

/** Takes the runs of earlier slots out of the queue, all of them when no slot is given. */
export async function dropQueued(
  { runs, stopper }: Pick<StartSlotDependencies, 'runs' | 'stopper'>,
  dagName: string,
  earlierThan?: Date,
): Promise<void> {
  const statuses = runStatuses.filter(isQueuedRun);
  const scan = { dagName, statuses, workspaces: everywhere, limit: scannedRuns };
  for (let after: DagRunSummary | undefined; ;) {
    const page = await runs.scan({ ...scan, after });
    for (const run of page) {
      if (!isOfScheduler(run) || run.scheduleTime === null) continue;
      if (earlierThan !== undefined && run.scheduleTime >= earlierThan) continue;
      // One that a runner has claimed meanwhile goes on.
      await stopper.dequeue(run).catch((error: unknown) => {
        if (!isAppError(error) || error.reason !== 'not_queued') throw error;
      });
    }
    after = page.at(-1);
    if (page.length < scannedRuns) return;
  }
}

/** The newest slot up to `to` that has a run; found among the newest runs. */
export async function lastScheduledSlot(
  { runs }: Pick<StartSlotDependencies, 'runs'>,
  dagName: string,
  to: Date,
): Promise<Date> {
  const found = await runs.scan({ dagName, workspaces: everywhere, limit: scannedRuns });
  const slots = found.filter(isOfScheduler).map(({ scheduleTime }) => scheduleTime?.getTime() ?? 0);
  return new Date(Math.max(0, ...slots.filter((slot) => slot <= to.getTime())));
}

function isOfScheduler({ triggerType }: DagRunSummary): boolean {
  return triggerType === 'scheduler' || triggerType === 'catchup';
}
