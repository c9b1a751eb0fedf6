import type { Clock } from '@weir/workflow-engine';
import type { DagRunRepository } from '../runs';
import type { DagCatalog } from '../dags';
import { createEndedRuns } from './ended-runs';
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
