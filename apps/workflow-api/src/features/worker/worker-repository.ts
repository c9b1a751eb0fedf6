import { sql, type Database } from '@weir/workflow-db';
import { selectorLabels, selectorText, type WorkerLabels } from '@weir/workflow-engine/model';
import { isRemoteOwner, remoteOwnerPrefix } from '../queue/store/remote-owner';

/** A process that executes runs. */
export interface WorkerRecord {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  /** The worker claims runs whose selector these labels match. */
  readonly labels: WorkerLabels;
  /** Limits the runs that it executes at the same time. */
  readonly maxRuns: number;
  /** The version of the program. */
  readonly version: string;
  /** Whether it claims queued runs; a command executes only its own run. */
  readonly claims: boolean;
  readonly heartbeatAt: Date;
}

/** The facts about a worker that are known before it starts. */
export type WorkerIdentity = Omit<WorkerRecord, 'claims' | 'heartbeatAt'>;

export interface ListedWorker extends WorkerRecord {
  /** The role of PostgreSQL that it has signed in with, which only the database knows; empty for other databases. */
  readonly databaseUser: string;
  /** Milliseconds since its last heartbeat. */
  readonly silentMs: number;
  /** Given where liveness can be checked directly; heartbeats do not count then. */
  readonly isAlive?: boolean;
}

/** Uses the clock of the store, which all its users share. */
export interface WorkerRepository {
  /** Stores that the worker is alive. */
  beat(worker: Omit<WorkerRecord, 'heartbeatAt'>): Promise<void>;
  /** Lists all stored workers, including silent ones, the oldest first. */
  list(): Promise<readonly ListedWorker[]>;
  /** Lists the ids of the workers with a heartbeat within this time. */
  listAlive(withinMs: number): Promise<readonly string[]>;
  remove(id: string): Promise<void>;
  /** Removes all workers whose ids begin with this, which ends their claims. */
  removeAll(idPrefix: string): Promise<void>;
  /** Deletes workers without a heartbeat for this time. */
  removeSilent(forMs: number): Promise<void>;
}

const maxListed = 1000;

/** @param isAlive Given where liveness can be checked directly; heartbeats do not count then. */
export function createPrismaWorkerRepository(
  { db, provider }: Pick<Database, 'db' | 'provider'>,
  isAlive?: (id: string) => boolean,
): WorkerRepository {
  const now = async (): Promise<Date> => {
    // The processes that share a SQLite file share the clock of their machine.
    if (provider === 'sqlite') return new Date();
    const [row] = await db.$queryRaw<{ readonly at: Date }[]>(sql`SELECT clock_timestamp() AS "at"`);
    return row?.at ?? new Date();
  };
  const before = async (ms: number): Promise<Date> => new Date((await now()).getTime() - ms);
  return {
    beat: async (worker) => {
      const { id } = worker;
      const heartbeatAt = await now();
      const row = { ...worker, labels: selectorText(worker.labels), heartbeatAt };
      await db.runner.upsert({ where: { id }, create: row, update: { heartbeatAt }, select: { id: true } });
    },
    list: async () => {
      const [workers, at] = await Promise.all([
        db.runner.findMany({ orderBy: [{ startedAt: 'asc' }, { id: 'asc' }], take: maxListed }),
        now(),
      ]);
      return workers.map((worker) => ({
        ...worker,
        labels: selectorLabels(worker.labels),
        silentMs: Math.max(0, at.getTime() - worker.heartbeatAt.getTime()),
        ...(isAlive === undefined || isRemoteOwner(worker.id) ? {} : { isAlive: isAlive(worker.id) }),
      }));
    },
    listAlive: async (withinMs) =>
      (
        await db.runner.findMany({
          where: {
            OR: [
              { heartbeatAt: { gte: await before(withinMs) } },
              ...(isAlive === undefined ? [] : [{ NOT: { id: { startsWith: remoteOwnerPrefix } } }]),
            ],
          },
          orderBy: { id: 'asc' },
          select: { id: true },
        })
      )
        .map(({ id }) => id)
        .filter((id) => isRemoteOwner(id) || (isAlive?.(id) ?? true)),
    remove: async (id) => {
      await db.runner.deleteMany({ where: { id } });
    },
    removeAll: async (idPrefix) => {
      await db.runner.deleteMany({ where: { id: { startsWith: idPrefix } } });
    },
    removeSilent: async (forMs) => {
      await db.runner.deleteMany({ where: { heartbeatAt: { lt: await before(forMs) } } });
    },
  };
}
