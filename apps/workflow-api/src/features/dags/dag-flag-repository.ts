import type { Database } from '@weir/workflow-db';

export interface DagFlag {
  readonly suspended: boolean;
  readonly updatedAt: Date;
}

export interface DagFlagRepository {
  /** Returns `undefined` for a DAG that was never suspended. */
  find(fileName: string): Promise<DagFlag | undefined>;
  /** Lists the file names of the suspended DAGs. */
  listSuspended(): Promise<readonly string[]>;
  setSuspended(fileName: string, isSuspended: boolean, at: Date): Promise<void>;
  /** Lists the DAGs that were released after this time, with the times of their release. */
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
