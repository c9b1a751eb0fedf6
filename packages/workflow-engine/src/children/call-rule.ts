import { AppError } from '@weir/errors';
import type { Dag } from '@weir/workflow-spec';
import type { DagRun } from '../run-model/dag-run';

/**
 * Whether these runs, the one that calls and the one above all, may begin a run of the DAG. Whoever may start a run in
 * one workspace gets into no other by it: the name of the DAG may come from a parameter. A run outside of workspaces is
 * only started by those who reach all of them, and a DAG outside of them is there for all.
 */
export function mayCall(callers: readonly Pick<DagRun, 'workspace'>[], { workspace }: Pick<Dag, 'workspace'>): boolean {
  return workspace === undefined || callers.every((run) => run.workspace === null || run.workspace === workspace);
}

export function dagInOtherWorkspace(name: string): AppError {
  return new AppError('forbidden', `The DAG "${name}" belongs to another workspace.`, {
    reason: 'dag_of_other_workspace',
  });
}
