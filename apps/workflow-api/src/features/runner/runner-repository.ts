import type { Database } from '@weir/workflow-db';

/** A process that carries out runs. */
export interface RunnerRecord {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  readonly heartbeatAt: Date;
}

export interface RunnerRepository {
  /** Stores that the runner is alive. */
  beat(runner: RunnerRecord): Promise<void>;
  /** Ids of the runners heard of at this time or later. */
  listAlive(since: Date): Promise<readonly string[]>;
  remove(id: string): Promise<void>;
  removeSilentSince(before: Date): Promise<void>;
}

export function createPrismaRunnerRepository({ db }: Pick<Database, 'db'>): RunnerRepository {
  return {
    beat: async (runner) => {
      const { id, heartbeatAt } = runner;
      await db.runner.upsert({ where: { id }, create: { ...runner }, update: { heartbeatAt } });
    },
    listAlive: async (since) =>
      (
        await db.runner.findMany({
          where: { heartbeatAt: { gte: since } },
          orderBy: { id: 'asc' },
          select: { id: true },
        })
      ).map(({ id }) => id),
    remove: async (id) => {
      await db.runner.deleteMany({ where: { id } });
    },
    removeSilentSince: async (before) => {
      await db.runner.deleteMany({ where: { heartbeatAt: { lt: before } } });
    },
  };
}
