import type { Database } from '@weir/workflow-db';

export interface DagFlag {
  readonly suspended: boolean;
  readonly updatedAt: Date;
}

export interface DagFlagRepository {
  /** Missing for a DAG that was never suspended. */
  find(fileName: string): Promise<DagFlag | undefined>;
  /** File names of the suspended DAGs. */
  listSuspended(): Promise<readonly string[]>;
  setSuspended(fileName: string, isSuspended: boolean, at: Date): Promise<void>;
  /** The DAGs that were released after this time, with the time at which they were. */
  listReleased(after: Date): Promise<ReadonlyMap<string, Date>>;
}

export function createPrismaDagFlagRepository({ db }: Pick<Database, 'db'>): DagFlagRepository {
  return {
    listSuspended: async () => {
      const rows = await db.dagFlag.findMany({
        where: { suspended: true },
        orderBy: { fileName: 'asc' },
        select: { fileName: true },
      });
      return rows.map(({ fileName }) => fileName);
    },
    find: async (fileName) => {
      const row = await db.dagFlag.findUnique({ where: { fileName }, select: { suspended: true, updatedAt: true } });
      return row ?? undefined;
    },
    setSuspended: async (fileName, suspended, updatedAt) => {
      await db.dagFlag.upsert({
        where: { fileName },
        create: { fileName, suspended, updatedAt },
        update: { suspended, updatedAt },
      });
    },
    listReleased: async (after) => {
      const rows = await db.dagFlag.findMany({
        where: { suspended: false, updatedAt: { gt: after } },
        select: { fileName: true, updatedAt: true },
      });
      return new Map(rows.map(({ fileName, updatedAt }) => [fileName, updatedAt]));
    },
  };
}
