import { AppError } from '@weir/foundation';
import type { WorkflowClient } from '@weir/workflow-client';
import type { RunAddress } from '../shared/run-queries';

/**
 * Finds the one run that waits for the human task with this step ID: a run of the named DAG, a child run of one, or
 * any run. Throws `human_task_not_open` or `dag_run_ambiguous`.
 */
export async function findWaitingTask(
  client: WorkflowClient,
  { dagName, stepId }: { readonly dagName: string | undefined; readonly stepId: string },
): Promise<RunAddress> {
  const found: RunAddress[] = [];
  for (let cursor: string | undefined; ;) {
    const query = cursor === undefined ? {} : { cursor };
    const { data: page } = await client.GET('/open-decisions', { params: { query } });
    for (const item of page.items) {
      const isMeant = item.kind === 'human_task' && item.stepId === stepId;
      const names = [item.name, item.dagName];
      if (!isMeant || (dagName !== undefined && !names.includes(dagName))) continue;
      found.push({ dagName: item.dagName, dagRunId: item.subDAGRunId ?? item.dagRunId });
    }
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  const [run, other] = found;
  if (run === undefined) {
    throw new AppError('not_found', `No run waits for the task "${stepId}".`, { reason: 'human_task_not_open' });
  }
  if (other === undefined) return run;
  const message = `Several runs wait for the task "${stepId}": name the run with --run-id.`;
  throw new AppError('conflict', message, { reason: 'dag_run_ambiguous' });
}
