import type { DagRunSummary } from '@weir/workflow-engine';
import { runStatus } from '@weir/workflow-engine';
import type { DagRunRepository } from '../runs';

export interface EndedRunsDependencies {
  readonly runs: Pick<DagRunRepository, 'listSummaries'>;
  /** Calls the listener with the key of each run that this process has changed. */
  readonly onRunChange: (listener: (runId: string) => void) => () => void;
}

const maxPending = 20_000;
const batchSize = 500;

/**
 * Collects the runs that this process has ended since the last call. Only their keys are kept until then, so a server
 * whose metrics are not read has no costs.
 */
export function createEndedRuns({ runs, onRunChange }: EndedRunsDependencies) {
  const changed = new Set<string>();
  onRunChange((runId) => {
    if (changed.size < maxPending) changed.add(runId);
  });
  return async (): Promise<readonly DagRunSummary[]> => {
    const ids = [...changed];
    changed.clear();
    const ended: DagRunSummary[] = [];
    for (let at = 0; at < ids.length; at += batchSize) {
      for (const run of (await runs.listSummaries(ids.slice(at, at + batchSize))).values()) {
        if (runStatus.isTerminal(run.status)) ended.push(run);
        // The run is read again when it has ended.
        else if (runStatus.isActive(run.status)) changed.add(run.id);
      }
    }
    return ended;
  };
}
