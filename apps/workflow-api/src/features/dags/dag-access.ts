import type { RunSource } from '@weir/workflow-engine/model';
import { hasErrors } from '@weir/workflow-spec';
import { unknownWorkspace, type SpecReader } from '../../dag-parser';
import { canSee, requireRole } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { dagNotFound, fileUnreadable } from './dag-errors';
import { specInvalid } from '../../dag-parser/spec-errors';
import type { DagFileStore } from './dag-file-store';

export type VisibleDag = Awaited<ReturnType<ReturnType<typeof createDagAccess>['findVisible']>>;

export interface DagAccessDependencies {
  readonly store: Pick<DagFileStore, 'get'>;
  readonly specs: SpecReader;
}

/** Finds the DAG files that a principal may use. */
export function createDagAccess({ store, specs }: DagAccessDependencies) {
  /** Throws `dag_not_found` also for a DAG of a workspace that the principal cannot see. */
  const findVisible = async (fileName: string, principal: Principal) => {
    const file = await store.get(fileName);
    const parsed = await specs.parse(file.kind === 'text' ? file.text : '', { name: fileName });
    const dag = file.kind === 'text' ? parsed.dag : { ...parsed.dag, workspace: unknownWorkspace };
    if (!canSee(principal, dag.workspace)) throw dagNotFound(fileName);
    return { file, ...parsed, dag };
  };
  const findOperable = async (fileName: string, principal: Principal) => {
    const found = await findVisible(fileName, principal);
    requireRole(principal, found.dag.workspace, 'operator');
    return found;
  };
  return {
    findVisible,

    /** Finds a file whose DAG the principal may change; throws also `role_missing`. */
    findEditable: async (fileName: string, principal: Principal) => {
      const found = await findVisible(fileName, principal);
      requireRole(principal, found.dag.workspace, 'developer');
      return found;
    },

    /** Finds a file whose DAG the principal may run; throws also `role_missing`. */
    findOperable,

    /** Finds such a file to make runs of; throws also `spec_invalid`. */
    findRunnable: async (
      fileName: string,
      principal: Principal,
    ): Promise<RunSource & { readonly fileName: string }> => {
      const { file, dag, findings, baseTexts } = await findOperable(fileName, principal);
      if (file.kind === 'unreadable') throw fileUnreadable(file.problem);
      if (hasErrors(findings)) throw specInvalid(findings);
      return { dag, specText: file.text, baseTexts, fileName };
    },
  };
}
