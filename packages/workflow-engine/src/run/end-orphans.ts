import { endOrphan } from '../host/local-command/end-orphan';
import { openRunLog } from '../host/logs/run-log';
import type { DagRunStep } from '../model/run-model/dag-run';
import type { ProcessIdentity } from '../model/steps/step-outcome';
import { nodeStatus } from '../model/statuses/node-status';
import type { RunPorts } from './context/run-ports';

interface EndOrphansPorts extends Pick<RunPorts, 'clock' | 'logger' | 'endOrphan'> {
  readonly runs: Pick<RunPorts['runs'], 'findById' | 'listAllSteps'>;
}

/**
 * Ends the processes that an earlier owner of a run left behind, before anything of the run executes again. Processes
 * of another host are left alone, because their identity matches nothing here. Returns whether the end of the run was
 * requested.
 */
export async function endOrphans(runId: string, ports: EndOrphansPorts): Promise<boolean> {
  const { runs, clock, logger, endOrphan: end = (orphan) => endOrphan(orphan) } = ports;
  const run = await runs.findById(runId);
  if (run === undefined) return false;
  const orphans = (await runs.listAllSteps(runId)).flatMap(findProcess);
  const ends = await Promise.all(orphans.map((orphan) => end(orphan)));
  const processes = {
    ended: ends.filter((how) => how === 'ended').length,
    alive: ends.filter((how) => how === 'alive').length,
  };
  logger.warn({ dagName: run.dagName, dagRunId: run.dagRunId, processes }, 'run of a lost owner claimed');
  const log = openRunLog({ file: run.logFile, clock, logger });
  log.write('run claimed from a lost owner', { processes });
  await log.close();
  return run.stopRequestedAt !== null;
}

function findProcess({ status, pid, processStartedAt }: DagRunStep): readonly ProcessIdentity[] {
  return nodeStatus.isActive(status) && pid !== null && processStartedAt !== null
    ? [{ pid, startedAt: processStartedAt }]
    : [];
}
