import type { Bind } from './bind';
import { bindArtifactRoutes } from './features/artifacts';
import type { DagRuns } from './features/dag-runs';
import { bindQueueRoutes, createQueueService, type QueueServiceDependencies } from './features/queue-views';

export interface RunRoutesDependencies extends QueueServiceDependencies {
  readonly dagRuns: DagRuns;
}

/** Everything about runs: themselves, what they leave, where they wait. */
export function bindRunRoutes(bind: Bind, dependencies: RunRoutesDependencies): void {
  const { dagRuns } = dependencies;
  dagRuns.bindRoutes(bind);
  bindArtifactRoutes(bind, dagRuns.addresses);
  bindQueueRoutes(bind, createQueueService(dependencies));
}
