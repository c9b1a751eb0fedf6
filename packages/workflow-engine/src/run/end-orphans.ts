import { isActiveNode } from '../statuses';
import type { OrphanEnd } from '../local-command/end-orphan';
import type { ProcessIdentity } from '../scope/step-ports';
import type { DagRunStep } from '../run-model/dag-run';
import type { Logger } from '../ports/logger';
import type { Clock } from '../ports/clock';
import type { RunStore } from '../ports/run-store';
import { openRunLog } from '../logs/run-log';

export interface RecoverDependencies {
  readonly runs: Pick<RunStore, 'findById' | 'listAllSteps'>;
  readonly endOrphan: (orphan: ProcessIdentity) => Promise<OrphanEnd>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Ends what an owner that is lost left running of a run, before anything of it is run again. Processes of another host
 * are left alone, because their identity matches nothing here. Returns whether somebody asked the run to end.
 */
export async function endOrphansOf(dependencies: RecoverDependencies, runId: string): Promise<boolean> {
  const { runs, endOrphan, clock, logger } = dependencies;
  const run = await runs.findById(runId);
  if (run === undefined) return false;
  const orphans = (await runs.listAllSteps(runId)).flatMap(processOf);
  const ends = await Promise.all(orphans.map((orphan) => endOrphan(orphan)));
  const processes = {
    ended: ends.filter((how) => how === 'ended').length,
    alive: ends.filter((how) => how === 'alive').length,
  };
  logger.warn({ dagName: run.dagName, dagRunId: run.dagRunId, processes }, 'lost run taken over');
  const log = openRunLog({ file: run.logFile, clock, logger });
  log.write('run taken over', { processes });
  await log.close();
  return run.stopRequestedAt !== null;
}

function processOf({ status, pid, processStartedAt }: DagRunStep): readonly ProcessIdentity[] {
  return isActiveNode(status) && pid !== null && processStartedAt !== null
    ? [{ pid, startedAt: processStartedAt }]
    : [];
}
