import { AppError } from '@weir/foundation';
import type { Dag } from '@weir/workflow-spec';
import type { DagRun } from '../../model/run-model/dag-run';

/**
 * Whether the calling run and its root run may both start a run of the DAG. The name of the DAG may come from a
 * parameter, so a call must not lead from one workspace into another. Runs outside of workspaces are started only by
 * those who may use all workspaces, and a DAG outside of workspaces may be called from each.
 */
export function mayCall(callers: readonly Pick<DagRun, 'workspace'>[], { workspace }: Pick<Dag, 'workspace'>): boolean {
  return workspace === undefined || callers.every((run) => run.workspace === null || run.workspace === workspace);
}

export function dagInOtherWorkspace(name: string): AppError {
  return new AppError('forbidden', `The DAG "${name}" belongs to another workspace.`, {
    reason: 'dag_of_other_workspace',
  });
}
