import { runStatus, type DagRunSummary } from '@weir/workflow-engine/model';
import type { DagRunRepository } from '../runs';

export interface RunRemoverDependencies {
  readonly runs: Pick<DagRunRepository, 'listChildren' | 'remove'>;
  /** Removes the logs, working folder and artifacts of one run. */
  readonly removeFiles: (run: DagRunSummary) => Promise<void>;
}

/** Deletes a run that has ended, with all its descendants and their files. Returns false when one of them is active. */
export type RemoveRun = (run: DagRunSummary) => Promise<boolean>;

/**
 * The rows are deleted first, so that no retry starts a run while its files are removed. A process that dies in between
 * leaves files that nothing refers to.
 */
export function createRunRemover({ runs, removeFiles }: RunRemoverDependencies): RemoveRun {
  return async (run) => {
    const family = [run, ...(await listDescendants(runs, run))];
    if (family.some(({ status }) => runStatus.isActive(status)) || !(await runs.remove(run.id))) return false;
    for (const each of family) await removeFiles(each);
    return true;
  };
}

async function listDescendants(
  runs: Pick<DagRunRepository, 'listChildren'>,
  { id }: DagRunSummary,
): Promise<readonly DagRunSummary[]> {
  const found: DagRunSummary[] = [];
  for (let parents: readonly string[] = [id]; parents.length > 0;) {
    const children: DagRunSummary[] = [];
    for (const parent of parents) children.push(...(await runs.listChildren(parent)));
    found.push(...children);
    parents = children.map((child) => child.id);
  }
  return found;
}
