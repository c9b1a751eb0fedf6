import { translatePrismaError, type Database } from '@weir/workflow-db';
import { z } from 'zod';
import { backfillStatuses, type Backfill, type BackfillRepository } from './backfill';

const Moments = z.array(z.number());

interface BackfillRow extends Omit<Backfill, 'status' | 'from' | 'to' | 'occurrences'> {
  readonly status: string;
  readonly fromTime: Date;
  readonly toTime: Date;
  readonly occurrences: string;
  readonly activeFor: string | null;
}

const active = 'active';

export function createPrismaBackfillRepository({ db }: Pick<Database, 'db'>): BackfillRepository {
  const prune = async (dagName: string, keep: number): Promise<void> => {
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const old = await db.backfill.findMany({
      where: { dagName, activeFor: null },
      orderBy,
      skip: keep,
      select: { id: true },
    });
    await db.backfill.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
  };
  return {
    insert: async (backfill, keep) => {
      try {
        await db.backfill.create({ data: toRow(backfill) });
      } catch (error) {
        if (translatePrismaError(error)?.kind === 'unique') return false;
        throw error;
      }
      await prune(backfill.dagName, keep);
      return true;
    },
    find: async (id) => {
      const row = await db.backfill.findUnique({ where: { id } });
      return row === null ? undefined : fromRow(row);
    },
    list: async (dagName) =>
      (await db.backfill.findMany({ where: { dagName }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })).map(
        fromRow,
      ),
    listActive: async () =>
      (await db.backfill.findMany({ where: { activeFor: { not: null } }, orderBy: { id: 'asc' } })).map(fromRow),
    advance: async ({ id, position }, step) => {
      const isEnd = step.status !== undefined && step.status !== active;
      const { count } = await db.backfill.updateMany({
        where: { id, position, status: active },
        data: { ...step, ...(isEnd ? { activeFor: null } : {}) },
      });
      return count > 0;
    },
    cancel: async (id, at) => {
      const { count } = await db.backfill.updateMany({
        where: { id, status: active },
        data: { status: 'cancelled', endedAt: at, activeFor: null },
      });
      return count > 0;
    },
  };
}

function toRow({ from, to, occurrences, ...backfill }: Backfill): BackfillRow {
  return {
    ...backfill,
    fromTime: from,
    toTime: to,
    occurrences: JSON.stringify(occurrences.map((moment) => moment.getTime())),
    activeFor: backfill.status === active ? backfill.dagName : null,
  };
}

function fromRow({ fromTime, toTime, occurrences, activeFor: _, status, ...row }: BackfillRow): Backfill {
  return {
    ...row,
    from: fromTime,
    to: toTime,
    status: backfillStatuses.find((known) => known === status) ?? 'failed',
    occurrences: Moments.parse(JSON.parse(occurrences)).map((moment) => new Date(moment)),
  };
}
