import type { RunSource } from '@weir/workflow-engine';
import { hasErrors } from '@weir/workflow-spec';
import type { SpecReader } from '../../dag-parser';
import { canSee, requireRole, type Principal } from '../auth';
import { dagNotFound, fileUnreadable, specInvalid } from './dag-errors';
import type { DagFileStore } from './dag-file-store';

export type VisibleDag = Awaited<ReturnType<ReturnType<typeof createDagReach>['visibleFile']>>;

export interface DagReachDependencies {
  readonly store: Pick<DagFileStore, 'get'>;
  readonly specs: SpecReader;
}

/** DAG files as far as a principal reaches. */
export function createDagReach({ store, specs }: DagReachDependencies) {
  /** Throws `dag_not_found` also for a DAG of a workspace that the principal cannot see. */
  const visibleFile = async (fileName: string, principal: Principal) => {
    const file = await store.get(fileName);
    const parsed = await specs.parse(file.kind === 'text' ? file.text : '', { name: fileName });
    if (!canSee(principal, parsed.dag.workspace)) throw dagNotFound(fileName);
    return { file, ...parsed };
  };
  const operatedFile = async (fileName: string, principal: Principal) => {
    const found = await visibleFile(fileName, principal);
    requireRole(principal, found.dag.workspace, 'operator');
    return found;
  };
  return {
    visibleFile,

    /** A file whose DAG the principal may change; throws also `role_missing`. */
    writtenFile: async (fileName: string, principal: Principal) => {
      const found = await visibleFile(fileName, principal);
      requireRole(principal, found.dag.workspace, 'developer');
      return found;
    },

    /** A file whose DAG the principal may run; throws also `role_missing`. */
    operatedFile,

    /** The same, to make runs of; throws also `spec_invalid`. */
    runnableFile: async (
      fileName: string,
      principal: Principal,
    ): Promise<RunSource & { readonly fileName: string }> => {
      const { file, dag, findings, baseTexts } = await operatedFile(fileName, principal);
      if (file.kind === 'unreadable') throw fileUnreadable(file.problem);
      if (hasErrors(findings)) throw specInvalid(findings);
      return { dag, specText: file.text, baseTexts, fileName };
    },
  };
}
