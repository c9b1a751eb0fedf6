import { type Clock, type DagRunSummary, runStatus } from '@weir/workflow-engine/model';
import type { DagRunRepository } from '../runs';
import type { DagCatalog } from '../dags';
import type { createMetrics } from './metrics';

export interface RunMetricsDependencies {
  readonly prefix: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly clock: Clock;
  readonly runs: DagRunRepository;
  readonly catalog: DagCatalog;
  readonly runChanges: { readonly subscribe: (listener: (change: { readonly runId: string }) => void) => () => void };
  readonly roles: () => readonly string[];
}

/**
 * Reads the metrics of this process and of the runs of its installation. The process is measured from the first call
 * on, because measuring its event loop wakes it up a hundred times a second.
 */
export function createRunMetrics(dependencies: RunMetricsDependencies): () => Promise<string> {
  const { runs, catalog, runChanges, roles } = dependencies;
  const readEndedRuns = createEndedRuns({
    runs,
    onRunChange: (listener) => runChanges.subscribe(({ runId }) => listener(runId)),
  });
  let read: Promise<ReturnType<typeof createMetrics>> | undefined;
  const load = async () => {
    const { createMetrics } = await import('./metrics.js');
    const isSchedulerRunning = (): boolean => roles().includes('scheduler');
    return createMetrics({ ...dependencies, readEndedRuns, countDags: () => catalog.size, isSchedulerRunning });
  };
  return async () => {
    read ??= load();
    return (await read)();
  };
}

interface EndedRunsDependencies {
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
function createEndedRuns({ runs, onRunChange }: EndedRunsDependencies) {
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
