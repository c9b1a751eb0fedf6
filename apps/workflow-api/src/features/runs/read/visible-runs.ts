import type { DagRun, DagRunSummary } from '@weir/workflow-engine/model';
import { canSee, visibleWorkspaces } from '../../../access/access-rules';
import type { Principal } from '../../../access/principal';
import type { DagRunRepository } from '../store/dag-run-repository';

// A run keeps the workspace in which it was created, which may differ from the present workspace of its DAG. One that the
// caller may not see hides no older one: otherwise its existence would be disclosed.

type Scan = Pick<DagRunRepository, 'scan'>;

const isSeen = (run: Pick<DagRunSummary, 'workspace'>, principal: Principal): boolean =>
  canSee(principal, run.workspace ?? undefined);

const scanVisible = (runs: Scan, dagName: string, principal: Principal, limit: number) =>
  runs.scan({ dagName, workspaces: visibleWorkspaces(principal, { kind: 'all' }), limit });

/** Returns the newest run of the DAG that the caller may see. */
export async function findLatestVisible(
  runs: Scan & Pick<DagRunRepository, 'findLatest' | 'findById'>,
  dagName: string,
  principal: Principal,
): Promise<DagRun | undefined> {
  const latest = await runs.findLatest(dagName);
  if (latest === undefined || isSeen(latest, principal)) return latest;
  const [newest] = await scanVisible(runs, dagName, principal, 1);
  return newest && runs.findById(newest.id);
}

/** Returns the same of each of these DAGs that has one. */
export async function listLatestVisible(
  runs: Scan & Pick<DagRunRepository, 'listLatest'>,
  dagNames: readonly string[],
  principal: Principal,
): Promise<ReadonlyMap<string, DagRunSummary>> {
  const found = new Map(await runs.listLatest(dagNames));
  for (const [dagName, latest] of found) {
    if (isSeen(latest, principal)) continue;
    const [newest] = await scanVisible(runs, dagName, principal, 1);
    if (newest === undefined) found.delete(dagName);
    else found.set(dagName, newest);
  }
  return found;
}

/** Returns the newest runs of each of these DAGs that the caller may see, newest first. */
export async function listRecentVisible(
  runs: Scan & Pick<DagRunRepository, 'listRecent'>,
  dagNames: readonly string[],
  { principal, limit }: { readonly principal: Principal; readonly limit: number },
): Promise<ReadonlyMap<string, readonly DagRunSummary[]>> {
  const found = new Map(await runs.listRecent(dagNames, limit));
  for (const [dagName, recent] of found) {
    if (recent.every((run) => isSeen(run, principal))) continue;
    found.set(dagName, await scanVisible(runs, dagName, principal, limit));
  }
  return found;
}
