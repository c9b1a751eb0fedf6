import type { DagRunNeighbours } from '@weir/workflow-contract/schemas';
import type { DagRun } from '@weir/workflow-engine';
import { visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import type { DagRunRepository } from '../runs';

/** Finds the previous and the next run of the DAG that the principal may see. */
export async function findNeighbours(
  runs: Pick<DagRunRepository, 'scan' | 'findNext'>,
  run: DagRun,
  principal: Principal,
): Promise<DagRunNeighbours> {
  const workspaces = visibleWorkspaces(principal, { kind: 'all' });
  const [[previous], next] = await Promise.all([
    runs.scan({ dagName: run.dagName, workspaces, after: run, limit: 1 }),
    runs.findNext(run, workspaces),
  ]);
  return {
    ...(previous === undefined ? {} : { previous: previous.dagRunId }),
    ...(next === undefined ? {} : { next: next.dagRunId }),
  };
}
