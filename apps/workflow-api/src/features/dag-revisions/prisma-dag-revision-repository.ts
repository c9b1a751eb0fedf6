import { translatePrismaError, type Database } from '@weir/workflow-db';
import { revisionChanges, type DagRevision, type DagRevisionRepository } from './dag-revision';

const newestFirst = { number: 'desc' } as const;
const textOmitted = { text: true } as const;

export function createPrismaDagRevisionRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): DagRevisionRepository {
  return {
    list: async (fileName) =>
      (await db.dagRevision.findMany({ where: { fileName }, orderBy: newestFirst, omit: textOmitted })).map(toRevision),
    findNewest: async (fileName) => {
      const row = await db.dagRevision.findFirst({ where: { fileName }, orderBy: newestFirst, omit: textOmitted });
      return row === null ? undefined : toRevision(row);
    },
    find: async (fileName, number) => {
      const row = await db.dagRevision.findUnique({ where: { fileName_number: { fileName, number } } });
      return row === null ? undefined : toRevision(row);
    },
    insert: async (revision) => {
      try {
        await db.dagRevision.create({ data: { ...revision } });
        return true;
      } catch (error) {
        if (translatePrismaError(error)?.kind === 'unique') return false;
        throw error;
      }
    },
    claim: async ({ fileName, number }, by) => {
      const { count } = await db.dagRevision.updateMany({
        where: { fileName, number, author: null },
        data: { ...by },
      });
      return count > 0;
    },
    move: (fileName, newFileName) =>
      unitOfWork(async (transaction) => {
        const newest = await transaction.dagRevision.findFirst({
          where: { fileName: newFileName },
          orderBy: newestFirst,
          select: { number: true },
        });
        await transaction.dagRevision.updateMany({
          where: { fileName },
          data: { fileName: newFileName, number: { increment: newest?.number ?? 0 } },
        });
      }),
    prune: async (fileName, keep) => {
      const newestToDelete = await db.dagRevision.findFirst({
        where: { fileName },
        orderBy: newestFirst,
        skip: keep,
        select: { number: true },
      });
      if (newestToDelete === null) return;
      await db.dagRevision.deleteMany({ where: { fileName, number: { lte: newestToDelete.number } } });
    },
  };
}

/** A kind of change that a later version added is shown as a plain change. */
function toRevision<Row extends Omit<DagRevision, 'change'> & { readonly change: string }>(row: Row) {
  return { ...row, change: revisionChanges.find((change) => change === row.change) ?? ('changed' as const) };
}
