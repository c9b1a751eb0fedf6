import { isBusyNode, stepsToRetry, type Plan } from '@weir/workflow-engine';
import type { DagRunStep } from '../../dag-runs';

/**
 * The steps of a turn as its next attempt finds them: what ended well stays, what failed before is done again. A turn
 * that was cut off goes on where it was.
 */
export function turnsToAgain(plan: Plan, rows: readonly DagRunStep[]): readonly DagRunStep[] {
  const statuses = rows.map(({ status }) => status);
  if (statuses.some((status) => isBusyNode(status))) return rows;
  const again = new Set(stepsToRetry(plan, statuses));
  return rows.map((row, index) =>
    again.has(index) ? { ...row, status: 'not_started', retryCount: 0, doneCount: 0 } : row,
  );
}
