import type { UserRole } from '@weir/workflow-contract';
import type { DagRun, DagRunSummary } from '@weir/workflow-engine/model';
import { canSee, requireRole } from '../../../access/access-rules';
import type { Principal } from '../../../access/principal';
import { dagRunNotFound } from '../store/dag-run-errors';
import type { DagRunRepository } from '../store/dag-run-repository';
import { findLatestVisible } from './visible-runs';

export interface RunAddress {
  readonly name: string;
  readonly dagRunId: string;
  /** Id of a descendant of the run. */
  readonly subDAGRunId?: string | undefined;
}

export type RunAddresses = ReturnType<typeof createRunAddresses>;

export const latest = 'latest';
/** The limit suffices for a run with a thousand child runs that have some of their own. */
const maxDescendants = 20_000;

/** Finds the runs that requests name. Both functions throw `dag_run_not_found`. */
export function createRunAddresses(
  runs: Pick<DagRunRepository, 'find' | 'findLatest' | 'findById' | 'listChildren' | 'scan'>,
) {
  const visible = (run: DagRun | undefined, { name, dagRunId }: RunAddress, principal: Principal): DagRun => {
    if (run === undefined || !canSee(principal, run.workspace ?? undefined)) throw dagRunNotFound(name, dagRunId);
    return run;
  };
  const below = async (run: DagRun, address: RunAddress, principal: Principal): Promise<DagRun> => {
    const { name, subDAGRunId } = address;
    if (subDAGRunId === undefined) return run;
    const found = await findBelow(runs, run, subDAGRunId);
    const sub = found && (await runs.findById(found.id));
    return visible(sub, { name, dagRunId: subDAGRunId }, principal);
  };
  return {
    /** The id `latest` stands for the newest run that the principal may see. */
    async toRead(address: RunAddress, principal: Principal): Promise<DagRun> {
      const { name, dagRunId } = address;
      const found =
        dagRunId === latest ? await findLatestVisible(runs, name, principal) : await runs.find(name, dagRunId);
      return below(visible(found, address, principal), address, principal);
    },

    /** Finds the run only by its own id, so that a change names its run exactly. Also throws `role_missing`. */
    async toChange(address: RunAddress, principal: Principal, needed: UserRole = 'operator'): Promise<DagRun> {
      const found = visible(await runs.find(address.name, address.dagRunId), address, principal);
      const run = await below(found, address, principal);
      requireRole(principal, run.workspace ?? undefined, needed);
      return run;
    },
  };
}

/** Finds the run of this id among all descendants of the run. */
async function findBelow(
  runs: Pick<DagRunRepository, 'listChildren'>,
  { id }: Pick<DagRun, 'id'>,
  dagRunId: string,
): Promise<DagRunSummary | undefined> {
  const parents = [id];
  for (const parent of parents) {
    const children = await runs.listChildren(parent);
    const found = children.find((child) => child.dagRunId === dagRunId);
    if (found !== undefined) return found;
    if (parents.length < maxDescendants) parents.push(...children.map((child) => child.id));
  }
  return undefined;
}
