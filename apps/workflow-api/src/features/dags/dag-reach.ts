import type { SpecReader } from '../../dag-parser';
import { canSee, requireRole, type Principal } from '../auth';
import { dagNotFound } from './dag-errors';
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
  return {
    visibleFile,

    /** A file whose DAG the principal may change; throws also `role_missing`. */
    writtenFile: async (fileName: string, principal: Principal) => {
      const found = await visibleFile(fileName, principal);
      requireRole(principal, found.dag.workspace, 'developer');
      return found;
    },

    /** A file whose DAG the principal may run; throws also `role_missing`. */
    operatedFile: async (fileName: string, principal: Principal) => {
      const found = await visibleFile(fileName, principal);
      requireRole(principal, found.dag.workspace, 'operator');
      return found;
    },
  };
}
