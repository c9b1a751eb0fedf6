import { AppError } from '@weir/foundation';
import { workflowContract } from '@weir/workflow-contract';
import type { Clock } from '@weir/workflow-engine/model';
import type { Bind } from '../../access/bind';
import type { Role } from '../../roles';
import type { DatabaseCheck } from './database-check';
import type { ApiDescription } from './describe-api';
import type { StorageCheck } from './storage-check';
import type { StoreCheck } from './store-check';
import type { ResourceHistory } from './resource-history';
import { bindResourceRoutes } from './resource-routes';
import { bindServiceRoutes } from './service-routes';
import type { StoredWorkers } from './stored-workers';

export interface SystemRoutesDependencies {
  readonly version: string;
  readonly startedAt: Date;
  readonly clock: Clock;
  readonly checkDatabase: DatabaseCheck;
  readonly checkStorage: StorageCheck;
  readonly checkStore: StoreCheck;
  /** The roles of this process; a command that waits for a run needs a process that executes it. */
  readonly roles: () => readonly Role[];
  /** The path that the API is served below. */
  readonly serverUrl: string;
  /** The isolation of steps by a worker. */
  readonly stepIsolation?: { readonly kind: 'namespaces' | 'none' } | undefined;
  readonly storedWorkers: StoredWorkers;
  readonly resources: Pick<ResourceHistory, 'since'>;
}

export function bindSystemRoutes(bind: Bind, dependencies: SystemRoutesDependencies): void {
  const { version, startedAt, clock, roles, serverUrl, storedWorkers, stepIsolation } = dependencies;

  bind(workflowContract.getHealthStatus, async () => {
    const problem = await findProblem(dependencies);
    const now = clock.now();
    const facts = {
      version,
      uptime: Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / 1000)),
      timestamp: now.toISOString(),
      roles: [...roles()],
      ...(stepIsolation === undefined ? {} : { stepIsolation: stepIsolation.kind }),
    };
    if (problem !== undefined) throw unhealthy(problem, facts);
    return { status: 'healthy' as const, ...facts };
  });

  bind(workflowContract.getLiveness, () => ({ status: 'alive' as const, roles: [...roles()] }));

  bindServiceRoutes(bind, dependencies);
  bindResourceRoutes(bind, dependencies.resources);

  // The description is created for the first request, because few processes ever get one.
  let description: Promise<ApiDescription> | undefined;
  bind(workflowContract.getOpenApiJson, async () => {
    description ??= import('./describe-api.js').then(({ describeApi }) => describeApi(serverUrl));
    return { ...(await description) };
  });

  bind(workflowContract.getWorkers, ({ principal }) => {
    return storedWorkers.listWorkers(principal);
  });
}

type Checks = Pick<SystemRoutesDependencies, 'checkDatabase' | 'checkStorage' | 'checkStore'>;

const problems = {
  database_unreachable: 'The database does not answer.',
  storage_full: 'A disk that the server writes to has no space.',
  store_unavailable: 'The store of logs and artifacts cannot be reached, or refuses access.',
} as const;
type Problem = keyof typeof problems;

async function findProblem({ checkDatabase, checkStorage, checkStore }: Checks): Promise<Problem | undefined> {
  if (!(await checkDatabase())) return 'database_unreachable';
  if (!(await checkStorage())) return 'storage_full';
  return (await checkStore()) ? undefined : 'store_unavailable';
}

function unhealthy(reason: Problem, facts: Readonly<Record<string, unknown>>): AppError {
  return new AppError('unavailable', problems[reason], { reason, details: { status: 'unhealthy', reason, ...facts } });
}
