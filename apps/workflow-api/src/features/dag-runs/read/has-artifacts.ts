import { opendir } from 'node:fs/promises';
import type { DagRunSummary } from '@weir/workflow-engine';

type WithArtifacts = Pick<DagRunSummary, 'id' | 'artifactsDir'>;

/** A folder with nothing but links at its beginning counts as empty: a list must not read whole folders. */
const maxEntries = 64;
const runsAtOnce = 16;

/** Whether the run left something that is no link. */
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
    // Not there yet, or nothing that can be read: nothing to show either way.
    return false;
  }
}

/** Keys of those runs that left something. Only runs of DAGs with artifacts cost a look at the disk. */
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
