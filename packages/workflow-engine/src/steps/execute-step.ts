import { archivePreviousLogs } from '../logs/archive-logs';
import type { RunContext, StepExecution } from '../run/run-context';
import type { StepOutcome } from '../scope/step-ports';
import { withinTimeLimit } from './time-limit';

/** Executes one attempt of a step. A step that needs a process counts as running while it waits for a permit. */
export async function executeStep(context: RunContext, execution: StepExecution): Promise<StepOutcome> {
  const { processPermits, timer } = context.ports;
  const { step, stored, signal } = execution;
  await archivePreviousLogs(stored);
  const executor = context.findExecutor(step);
  // The wait for a permit does not count against the step's own time.
  const execute = () =>
    withinTimeLimit({ timer, timeoutSec: step.timeoutSec, signal }, (limited) =>
      executor.execute(context, { ...execution, signal: limited }),
    );
  if (!executor.usesProcess) return execute();
  const release = await processPermits.acquire(signal);
  if (release === undefined) return { status: 'aborted', error: 'run stopped' };
  try {
    return await execute();
  } finally {
    release();
  }
}
