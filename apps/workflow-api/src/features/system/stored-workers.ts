import { AppError } from '@weir/foundation';
import type { WorkersListResponse, Worker } from '@weir/workflow-contract/schemas';
import type { DagRunSummary } from '@weir/workflow-engine/model';
import { databaseFailure } from '../../failures/database-failures';
import { canSee } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { rfc3339, type DagRunRepository } from '../runs';
import type { ListedWorker, WorkerRepository } from '../worker';

export interface StoredWorkersDependencies {
  readonly workers: Pick<WorkerRepository, 'list'>;
  readonly runs: Pick<DagRunRepository, 'listOwned' | 'listSummaries'>;
}

const [healthyMs, lateMs] = [5_000, 15_000];

export type StoredWorkers = ReturnType<typeof createStoredWorkers>;

/** Lists the workers that share the database of this server: its own, and those of other processes. */
export function createStoredWorkers({ workers, runs }: StoredWorkersDependencies) {
  return {
    /** Rejects with `coordinator_unavailable` while the database, through which workers coordinate, cannot be read. */
    listWorkers: async (principal: Principal): Promise<WorkersListResponse> => {
      const listed = await workers.list().catch((error: unknown) => {
        throw coordinatorUnavailable(error);
      });
      const owned = await runs.listOwned(listed.map(({ id }) => id));
      const roots = await runs.listSummaries(owned.flatMap(({ rootId }) => rootId ?? []));
      return {
        workers: listed.map((worker) => {
          const own = owned.filter(({ ownerId }) => ownerId === worker.id);
          return presentWorker(worker, own, { roots, principal });
        }),
        errors: [],
      };
    },
  };
}

function coordinatorUnavailable(error: unknown): unknown {
  const failure = databaseFailure(error);
  if (failure === undefined) return error;
  const message = `The workers cannot be listed. ${failure.message}`;
  return new AppError('unavailable', message, { reason: 'coordinator_unavailable', cause: error });
}

interface Sight {
  readonly roots: ReadonlyMap<string, DagRunSummary>;
  readonly principal: Principal;
}

function presentWorker(worker: ListedWorker, runs: readonly DagRunSummary[], { roots, principal }: Sight): Worker {
  const visible = runs.filter(({ workspace }) => canSee(principal, workspace ?? undefined));
  return {
    id: worker.id,
    labels: { ...worker.labels, host: worker.host, pid: String(worker.pid) },
    totalPollers: worker.maxRuns,
    busyPollers: runs.length,
    runningTasks: visible.map((run) => presentTask(run, roots)),
    lastHeartbeatAt: rfc3339(worker.heartbeatAt),
    heartbeatAgeMs: Math.round(worker.silentMs),
    healthStatus: healthOf(worker),
    ...(worker.version === '' ? {} : { version: worker.version }),
    ...(worker.databaseUser === '' ? {} : { databaseUser: worker.databaseUser }),
    claimsQueued: worker.claims,
  };
}

function presentTask(run: DagRunSummary, roots: Sight['roots']): Worker['runningTasks'][number] {
  const root = run.rootId === null ? undefined : roots.get(run.rootId);
  return {
    dagRunId: run.dagRunId,
    dagName: run.dagName,
    startedAt: rfc3339(run.startedAt ?? run.createdAt),
    ...(root === undefined ? {} : { rootDagRunName: root.dagName, rootDagRunId: root.dagRunId }),
  };
}

function healthOf({ isAlive, silentMs }: ListedWorker): Worker['healthStatus'] {
  if (isAlive !== undefined) return isAlive ? 'healthy' : 'unhealthy';
  if (silentMs <= healthyMs) return 'healthy';
  return silentMs <= lateMs ? 'warning' : 'unhealthy';
}
