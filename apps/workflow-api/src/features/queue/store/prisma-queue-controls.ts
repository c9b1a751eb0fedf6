import type { Database } from '@weir/workflow-db';
import type { QueueDispatch } from './queue-dispatch';
import type { QueueControls } from './queue-driver';
import type { QueuePause } from './queue-reads';

export function createQueueControls(
  { db, unitOfWork }: Pick<Database, 'db' | 'unitOfWork'>,
  dispatch: Pick<QueueDispatch, 'opened'>,
): QueueControls {
  return {
    pause: (name, pause) => insertPause(db, { name, ...pause }),
    resume: async (name) => {
      const { count } = await db.queuePause.deleteMany({ where: { name } });
      await dispatch.opened(name);
      return count > 0;
    },
    move: (runId, to) =>
      unitOfWork(
        async ({ queueItem }) => {
          const item = await queueItem.findUnique({ where: { runId } });
          if (item?.claimedBy !== null) return false;
          const { queueName, workspace, isUnlimited } = item;
          const edge = await queueItem.findFirst({
            where: { queueName, workspace, isUnlimited, claimedBy: null, NOT: { runId } },
            orderBy: { rankAt: to === 'first' ? 'asc' : 'desc' },
            select: { rankAt: true },
          });
          const rankAt = edge === null ? item.rankAt : beside(edge.rankAt, to);
          const { count } = await queueItem.updateMany({ where: { runId, claimedBy: null }, data: { rankAt } });
          return count > 0;
        },
        { isolation: 'read_committed' },
      ),
  };
}

/** One statement ensures that only one of two concurrent pauses succeeds. */
async function insertPause(db: Database['db'], { name, pausedAt, pausedBy }: QueuePause & { readonly name: string }) {
  const count = await db.$executeRaw`
    INSERT INTO "QueuePause" ("name", "pausedAt", "pausedBy") VALUES (${name}, ${pausedAt}, ${pausedBy})
    ON CONFLICT ("name") DO NOTHING`;
  return count > 0;
}

/** Returns the rank directly before or after another one; ranks are in milliseconds. */
export function beside(rankAt: Date, to: 'first' | 'last'): Date {
  return new Date(rankAt.getTime() + (to === 'first' ? -1 : 1));
}
