import { isAppError } from '@weir/foundation';
import type { DagRunSummary } from '@weir/workflow-engine/model';
import type { RunFiles } from '../../../run-files';

type WithArtifacts = Pick<DagRunSummary, 'id' | 'artifactsDir'>;
type Folders = Pick<RunFiles, 'view'>;

const runsAtOnce = 16;

/** Whether the run left files other than links. */
export async function hasArtifacts(
  runFiles: Folders,
  { artifactsDir }: Pick<WithArtifacts, 'artifactsDir'>,
): Promise<boolean> {
  if (artifactsDir === null) return false;
  try {
    return await (await runFiles.view(artifactsDir)).hasFiles();
  } catch (error) {
    // Lists of runs must not depend on a store that cannot be reached now.
    if (isAppError(error) && error.code === 'unavailable') return false;
    throw error;
  }
}

/** Returns the keys of the runs that left artifacts. Only files of runs whose DAGs have artifacts are accessed. */
export async function findRunsWithArtifacts(
  runFiles: Folders,
  runs: readonly WithArtifacts[],
): Promise<ReadonlySet<string>> {
  const possible = runs.filter(({ artifactsDir }) => artifactsDir !== null);
  const found = new Set<string>();
  for (let at = 0; at < possible.length; at += runsAtOnce) {
    const some = possible.slice(at, at + runsAtOnce);
    const answers = await Promise.all(some.map((run) => hasArtifacts(runFiles, run)));
    for (const [index, run] of some.entries()) if (answers[index] === true) found.add(run.id);
  }
  return found;
}
