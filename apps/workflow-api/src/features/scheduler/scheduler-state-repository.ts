import { translatePrismaError, type Database } from '@weir/workflow-db';

/** Stores the times up to which occurrences are settled, by DAG name. */
export interface SchedulerStateRepository {
  read(): Promise<ReadonlyMap<string, Date>>;
  find(name: string): Promise<Date | undefined>;
  /** Advances the watermarks of these names; later ones stay. */
  advance(names: readonly string[], to: Date): Promise<void>;
}

/** The key of the watermark of the scheduler as a whole. */
export const schedulerKey = '';

const namesPerStatement = 500;

export function createPrismaSchedulerStateRepository({ db }: Pick<Database, 'db'>): SchedulerStateRepository {
  const insert = async (dagName: string, watermarkAt: Date): Promise<void> => {
    try {
      await db.schedulerState.create({ data: { dagName, watermarkAt } });
    } catch (error) {
      // Another scheduler inserted it first.
      if (translatePrismaError(error)?.kind !== 'unique') throw error;
      await db.schedulerState.updateMany({
        where: { dagName, watermarkAt: { lt: watermarkAt } },
        data: { watermarkAt },
      });
    }
  };
  return {
    read: async () => {
      const rows = await db.schedulerState.findMany();
      return new Map(rows.map(({ dagName, watermarkAt }) => [dagName, watermarkAt]));
    },
    find: async (dagName) => (await db.schedulerState.findUnique({ where: { dagName } }))?.watermarkAt,
    advance: async (names, watermarkAt) => {
      for (let index = 0; index < names.length; index += namesPerStatement) {
        const some = names.slice(index, index + namesPerStatement);
        const where = { dagName: { in: some } };
        await db.schedulerState.updateMany({
          where: { ...where, watermarkAt: { lt: watermarkAt } },
          data: { watermarkAt },
        });
        const rows = await db.schedulerState.findMany({ where, select: { dagName: true } });
        const existing = new Set(rows.map(({ dagName }) => dagName));
        for (const dagName of some) if (!existing.has(dagName)) await insert(dagName, watermarkAt);
      }
    },
  };
}
