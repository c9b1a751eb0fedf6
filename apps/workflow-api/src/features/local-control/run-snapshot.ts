import { isDeclinedRun, isSuccessfulRun, isTerminalNode, isTerminalRun } from '@weir/workflow-engine';
import type { DagRunRepository } from '../dag-runs';
import type { RunSnapshot } from './control-contract';

/** How a run stands; `undefined` when there is none of this key. */
export async function readRunSnapshot(
  runs: Pick<DagRunRepository, 'findById' | 'stepsOf'>,
  id: string,
): Promise<RunSnapshot | undefined> {
  // The run is read first: when it has ended, its steps have too.
  const run = await runs.findById(id);
  if (run === undefined) return undefined;
  const steps = await runs.stepsOf(id);
  return {
    id,
    dagName: run.dagName,
    dagRunId: run.dagRunId,
    status: run.status,
    isEnded: isTerminalRun(run.status),
    isSuccess:
      isSuccessfulRun(run.status) ||
      isDeclinedRun(
        run.status,
        steps.map(({ status }) => status),
      ),
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    error: run.error,
    logFile: run.logFile,
    steps: steps.map(({ name, status, startedAt, finishedAt, error }) => ({
      name,
      status,
      isEnded: isTerminalNode(status),
      startedAt,
      finishedAt,
      error,
    })),
  };
}
