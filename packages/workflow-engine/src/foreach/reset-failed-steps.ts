import { isBusyNode } from '../statuses';
import { stepsToRetry } from '../plan/retry-steps';
import type { Plan } from '../plan/plan';
import type { DagRunStep } from '../run-model/dag-run';

/**
 * The steps of a turn as its next attempt finds them: what ended well stays, what failed before is done again. A turn
 * that was cut off goes on where it was.
 */
export function resetFailedSteps(plan: Plan, steps: readonly DagRunStep[]): readonly DagRunStep[] {
  const statuses = steps.map(({ status }) => status);
  if (statuses.some((status) => isBusyNode(status))) return steps;
  const retried = new Set(stepsToRetry(plan, statuses));
  return steps.map((step, index) =>
    retried.has(index) ? { ...step, status: 'not_started', retryCount: 0, doneCount: 0 } : step,
  );
}
