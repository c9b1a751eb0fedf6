import { isActiveNode, type OrphanEnd, type ProcessIdentity } from '@weir/workflow-engine';
import type { Logger } from '@weir/service-kit';
import type { Clock } from '../../adapters/clock';
import type { DagRunRepository, DagRunStep, DagRunSummary } from '../dag-runs';
import { removeEmptyFolder } from './remove-empty-folder';
import { openRunLog } from './run-log';
import { createSlots } from './slots';

const ownerLost = 'owner lost';
const runStopped = 'run stopped';
// Most of the time of an end is waiting for processes to go.
const endsAtOnce = 16;

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
 * Takes over runs whose owner is neither this one nor one of `otherOwners`, and runs of this owner that nobody carries
 * out. Before anything of them is ended: an owner that was only silent must not record its steps as failed by us.
 * Doing it twice, or from two servers at once, does no harm.
 */
export async function adoptLostRuns(
  { runs, ownerId, isUnderWay }: Pick<RecoverDependencies, 'runs' | 'ownerId' | 'isUnderWay'>,
  otherOwners: readonly string[],
  signal: AbortSignal,
): Promise<readonly DagRunSummary[]> {
  const adopted: DagRunSummary[] = [];
  for (const run of await runs.listRunningNotOwnedBy(otherOwners)) {
    if (signal.aborted) break;
    if (run.ownerId === ownerId && isUnderWay(run.id)) continue;
    if (await runs.adopt(run.id, run.ownerId, ownerId)) adopted.push(run);
  }
  return adopted;
}

/**
 * Ends the processes and the records of runs that were taken over, several at once. Processes of another host are left
 * alone, because their identity matches nothing here. Rejects with the first failure once all were tried.
 */
export async function endLostRuns(
  dependencies: Omit<RecoverDependencies, 'isUnderWay'>,
  adopted: readonly DagRunSummary[],
  signal: AbortSignal,
): Promise<void> {
  const slots = createSlots(endsAtOnce);
  const ends = await Promise.allSettled(
    adopted.map(async (run) => {
      const release = await slots.acquire(signal);
      await (release === undefined ? undefined : endRun(dependencies, run).finally(release));
    }),
  );
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

async function endRun(
  { runs, endOrphan, ownerId, clock, logger }: Omit<RecoverDependencies, 'isUnderWay'>,
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
  const status = run.stopRequestedAt === null ? 'failed' : 'aborted';
  log.write('run ended', { status, reason: ownerLost, processes });
  await log.close();
  await removeEmptyFolder(run.workDir, logger);
}

function processOf({ status, pid, processStartedAt }: DagRunStep): readonly ProcessIdentity[] {
  return isActiveNode(status) && pid !== null && processStartedAt !== null
    ? [{ pid, startedAt: processStartedAt }]
    : [];
}
