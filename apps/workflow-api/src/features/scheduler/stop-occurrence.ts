import { runStatus, type DagRunSummary } from '@weir/workflow-engine/model';
import { unaudited } from '../../access/audited-operation';
import type { DagRunRepository, RunStopper } from '../runs';

export interface StopOccurrenceDependencies {
  readonly runs: Pick<DagRunRepository, 'scan'>;
  readonly stopper: Pick<RunStopper, 'requestStop'>;
}

const pageSize = 500;

/**
 * Stops the active runs of a DAG and returns them, newest first. Runs that were created after the occurrence stay:
 * another scheduler may have started them for it.
 */
export async function stopForOccurrence(
  { runs, stopper }: StopOccurrenceDependencies,
  dagName: string,
  occurrence: Date,
): Promise<readonly DagRunSummary[]> {
  const scan = {
    dagName,
    statuses: runStatus.all.filter(runStatus.isActive),
    to: occurrence,
    workspaces: { unassigned: true, named: 'all' },
    limit: pageSize,
  } as const;
  const found: DagRunSummary[] = [];
  for (let after: DagRunSummary | undefined; ;) {
    const page = await runs.scan({ ...scan, after });
    found.push(...page);
    after = page.at(-1);
    if (page.length < pageSize) break;
  }
  for (const { id } of found) await stopper.requestStop(id, unaudited);
  return found;
}
