import type { Clock } from '@weir/workflow-engine';
import type { DagRunRepository } from '../dag-runs';
import type { DagCatalog } from '../dags';
import { createEndedRuns } from './ended-runs';
import { createMetrics } from './metrics';

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

/** Reads the metrics of this process and of the runs of its installation. */
export function createRunMetrics(dependencies: RunMetricsDependencies): () => Promise<string> {
  const { runs, catalog, runChanges, roles } = dependencies;
  return createMetrics({
    ...dependencies,
    readEndedRuns: createEndedRuns({
      runs,
      onRunChange: (listener) => runChanges.subscribe(({ runId }) => listener(runId)),
    }),
    countDags: () => catalog.size,
    isSchedulerRunning: () => roles().includes('scheduler'),
  });
}
