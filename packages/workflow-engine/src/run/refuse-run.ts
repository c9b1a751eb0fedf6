import type { DagRunStep, StepPatch } from '../model/run-model/dag-run';
import { nodeStatus } from '../model/statuses/node-status';
import { commitOwned } from '../model/ports/run-store';
import type { OpenRun } from './context/run-context';

/**
 * Ends a run as failed without executing any more of it: something that it needs is missing, this version of the program
 * refuses a spec that an earlier one accepted, or its workers failed too often.
 */
export async function refuseRun(open: OpenRun, error: string): Promise<void> {
  const { ports, run, steps, lease, log } = open;
  const finishedAt = ports.clock.now();
  const isRunning = new Set(steps.filter(({ status }) => nodeStatus.isRunning(status)).map(({ position }) => position));
  const patches = endUnstartedSteps(steps, { status: 'aborted', finishedAt }).map((patch) =>
    isRunning.has(patch.position) ? { ...patch, error } : patch,
  );
  await commitOwned(open, { kind: 'ended', lease, patches, status: 'failed', finishedAt, error });
  log.write('run refused', { error });
  ports.logger.warn({ dagName: run.dagName, dagRunId: run.dagRunId, problem: error }, 'run refused');
}

/** Patches for the steps of the DAG that have not ended and will not start. */
export function endUnstartedSteps(
  steps: readonly DagRunStep[],
  { status, finishedAt }: { readonly status: 'aborted' | 'skipped'; readonly finishedAt: Date },
): readonly StepPatch[] {
  return steps
    .filter((step) => step.scope === '' && !nodeStatus.isTerminal(step.status))
    .map(({ position }) => ({ position, status, finishedAt, error: 'run not started' }));
}
