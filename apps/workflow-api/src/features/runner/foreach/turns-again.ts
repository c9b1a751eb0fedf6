import { isBusyNode, planDag, stepsToRetry } from '@weir/workflow-engine';
import type { Step } from '@weir/workflow-spec';
import type { DagRunStep } from '../../dag-runs';

/**
 * The steps of a turn as its next attempt finds them: what ended well stays, what failed before is done again. A turn
 * that was cut off goes on where it was.
 */
export function turnsToAgain(steps: readonly Step[], rows: readonly DagRunStep[]): readonly DagRunStep[] {
  const statuses = rows.map(({ status }) => status);
  if (statuses.some((status) => isBusyNode(status))) return rows;
  const again = new Set(stepsToRetry(planDag(steps), statuses));
  return rows.map((row, index) =>
    again.has(index) ? { ...row, status: 'not_started', retryCount: 0, doneCount: 0 } : row,
  );
}
