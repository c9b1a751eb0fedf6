import { runStatus } from '@weir/workflow-engine';
import { visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import type { DagRunRepository } from '../runs';

const scannedRuns = 100;
const shown = 10;

/** Lists the different parameters of the last runs of a DAG, the newest first. */
export async function listRecentParams(runs: Pick<DagRunRepository, 'scan'>, dagName: string, principal: Principal) {
  const workspaces = visibleWorkspaces(principal, { kind: 'all' });
  const found = await runs.scan({ dagName, workspaces, limit: scannedRuns });
  // A map keeps the last value of equal keys.
  const newest = new Map(
    found
      .filter(({ params }) => params !== '')
      .toReversed()
      .map((run) => [run.params, run]),
  );
  return [...newest.values()]
    .toSorted((left, right) => right.createdAt.getTime() - left.createdAt.getTime())
    .slice(0, shown)
    .map(({ params, dagRunId, createdAt, status }) => ({
      params,
      dagRunId,
      createdAt: createdAt.toISOString(),
      status: runStatus.toNumber(status),
      statusLabel: status,
    }));
}
