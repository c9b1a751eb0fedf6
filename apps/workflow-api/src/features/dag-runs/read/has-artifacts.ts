import { opendir } from 'node:fs/promises';
import type { DagRunSummary } from '@weir/workflow-engine';

type WithArtifacts = Pick<DagRunSummary, 'id' | 'artifactsDir'>;

/** A folder whose first entries are all links counts as empty, because a list must not read whole folders. */
const maxEntries = 64;
const runsAtOnce = 16;

/** Whether the run left anything but links. */
export async function hasArtifacts({ artifactsDir }: Pick<WithArtifacts, 'artifactsDir'>): Promise<boolean> {
  if (artifactsDir === null) return false;
  try {
    const folder = await opendir(artifactsDir, { bufferSize: maxEntries });
    let entries = 0;
    for await (const entry of folder) {
      if (!entry.isSymbolicLink()) return true;
      entries += 1;
      if (entries === maxEntries) return false;
    }
    return false;
  } catch {
    // Missing or unreadable: there is nothing to show.
    return false;
  }
}

/** Keys of the runs that left artifacts. Only runs of DAGs with artifacts cost disk access. */
export async function findRunsWithArtifacts(runs: readonly WithArtifacts[]): Promise<ReadonlySet<string>> {
  const possible = runs.filter(({ artifactsDir }) => artifactsDir !== null);
  const found = new Set<string>();
  for (let at = 0; at < possible.length; at += runsAtOnce) {
    const some = possible.slice(at, at + runsAtOnce);
    const answers = await Promise.all(some.map((run) => hasArtifacts(run)));
    for (const [index, run] of some.entries()) if (answers[index] === true) found.add(run.id);
  }
  return found;
}
