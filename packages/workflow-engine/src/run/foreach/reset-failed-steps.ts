import type { StepExecution } from '../../scope/loop/step-execution';
import type { Plan } from '../../model/plan/plan';
import { stepsToRetry } from '../../model/plan/retry-steps';
import type { DagRunStep } from '../../model/run-model/dag-run';
import { nodeStatus } from '../../model/statuses/node-status';

/** Whether the execution resumes the attempt that was interrupted: what failed in it has failed. */
export function isSameAttempt({ stored, attempt }: StepExecution): boolean {
  return nodeStatus.isRunning(stored.status) && attempt === stored.retryCount + stored.doneCount + 1;
}

/**
 * The steps of an iteration as the next attempt finds them: those that succeeded keep their end, those that failed
 * execute again. An iteration that was interrupted is resumed.
 */
export function resetFailedSteps(plan: Plan, steps: readonly DagRunStep[]): readonly DagRunStep[] {
  const statuses = steps.map(({ status }) => status);
  if (statuses.some((status) => nodeStatus.isBusy(status))) return steps;
  const retried = new Set(stepsToRetry(plan, statuses));
  return steps.map((step, index) =>
    retried.has(index) ? { ...step, status: 'not_started', retryCount: 0, doneCount: 0 } : step,
  );
}
