import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import type { Clock } from '../../adapters/clock';
import { assertLocalNode } from '../remote-node';
import type { Coordinator } from './coordinator';
import type { DatabaseCheck } from './database-check';

export interface SystemRoutesDependencies {
  readonly version: string;
  readonly startedAt: Date;
  readonly clock: Clock;
  readonly checkDatabase: DatabaseCheck;
  readonly openApi: Readonly<Record<string, unknown>>;
  readonly coordinator: Coordinator;
}

export function bindSystemRoutes(bind: Bind, dependencies: SystemRoutesDependencies): void {
  const { version, startedAt, clock, checkDatabase, openApi, coordinator } = dependencies;

  bind(workflowContract.getHealthStatus, async () => {
    const isHealthy = await checkDatabase();
    const now = clock.now();
    return {
      status: isHealthy ? ('healthy' as const) : ('unhealthy' as const),
      version,
      uptime: Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / 1000)),
      timestamp: now.toISOString(),
    };
  });

  bind(workflowContract.getOpenApiJson, () => ({ ...openApi }));

  bind(workflowContract.getWorkers, async ({ input, signal }) => {
    assertLocalNode(input.query);
    const { workers, errors } = await coordinator.listWorkers(signal);
    return { workers: [...workers], errors: [...errors] };
  });
}
