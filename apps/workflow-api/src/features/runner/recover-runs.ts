import { isActiveNode, type OrphanEnd, type ProcessIdentity } from '@weir/workflow-engine';
import type { Logger } from '@weir/service-kit';
import type { Clock } from '../../adapters/clock';
import type { DagRunRepository, DagRunStep, DagRunSummary } from '../dag-runs';
import { openRunLog } from './run-log';

const ownerLost = 'owner lost';
const runStopped = 'run stopped';

export interface RecoverDependencies {
  readonly runs: DagRunRepository;
  readonly endOrphan: (orphan: ProcessIdentity) => Promise<OrphanEnd>;
  /** Who recovers. */
  readonly ownerId: string;
  /** Whether a run that is stored as this owner's is really being carried out. */
  readonly isUnderWay: (id: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Ends runs whose owner is neither this one nor one of `otherOwners`, and runs of this owner that nobody carries out.
 * Doing it twice, or from two servers at once, does no harm. Processes of another host are left alone, because their
 * identity matches nothing here.
 */
export async function recoverRuns(
  dependencies: RecoverDependencies,
  otherOwners: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { runs, ownerId, isUnderWay } = dependencies;
  for (const run of await runs.listRunningNotOwnedBy(otherOwners)) {
    if (signal.aborted) return;
    if (run.ownerId === ownerId && isUnderWay(run.id)) continue;
    // Taken over before anything is ended: an owner that was only silent must not record its steps as failed by us.
    if (await runs.adopt(run.id, run.ownerId, ownerId)) await endRun(dependencies, run);
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
