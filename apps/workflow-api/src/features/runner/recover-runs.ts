import { isActiveNode, type OrphanEnd, type ProcessIdentity } from '@weir/workflow-engine';
import type { Logger } from '@weir/service-kit';
import type { Clock } from '../../adapters/clock';
import type { DagRunRepository, DagRunStep, DagRunSummary } from '../dag-runs';
import { openRunLog } from './run-log';

export const ownerLost = 'owner lost';
export const runStopped = 'run stopped';

export interface RecoverDependencies {
  readonly runs: DagRunRepository;
  readonly endOrphan: (orphan: ProcessIdentity) => Promise<OrphanEnd>;
  /** Who recovers. */
  readonly ownerId: string;
  /** Told of a run that was taken over and could not be ended. */
  readonly onUnsettled: (id: string) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Ends what runners left behind that are none of `aliveOwners`. Doing it twice, or from two servers at once, does no
 * harm. Processes of another host are left alone, because their identity matches nothing here.
 */
export async function recoverRuns(
  dependencies: RecoverDependencies,
  aliveOwners: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { runs, ownerId, onUnsettled } = dependencies;
  for (const run of await runs.listRunningNotOwnedBy(aliveOwners)) {
    if (signal.aborted) return;
    // Taken over before anything is ended: an owner that was only silent must not record its steps as failed by us.
    if (!(await runs.adopt(run.id, run.ownerId, ownerId))) continue;
    try {
      await endRun(dependencies, run);
    } catch (error) {
      onUnsettled(run.id);
      throw error;
    }
  }
}

async function endRun(
  { runs, endOrphan, ownerId, clock, logger }: RecoverDependencies,
  run: DagRunSummary,
): Promise<void> {
  const orphans = (await runs.stepsOf(run.id)).flatMap(processOf);
  const ends = await Promise.all(orphans.map((orphan) => endOrphan(orphan)));
  await runs.settleOrphan(run.id, ownerId, { at: clock.now(), error: ownerLost, notStartedError: runStopped });
  const processes = {
    ended: ends.filter((how) => how === 'ended').length,
    alive: ends.filter((how) => how === 'alive').length,
  };
  logger.warn({ dagName: run.dagName, dagRunId: run.dagRunId, ownerId: run.ownerId, processes }, 'lost run ended');
  const log = openRunLog({ file: run.logFile, clock, logger });
  log.write('run ended', { status: 'failed', reason: ownerLost, processes });
  await log.close();
}

function processOf({ status, pid, processStartedAt }: DagRunStep): readonly ProcessIdentity[] {
  return isActiveNode(status) && pid !== null && processStartedAt !== null
    ? [{ pid, startedAt: processStartedAt }]
    : [];
}
