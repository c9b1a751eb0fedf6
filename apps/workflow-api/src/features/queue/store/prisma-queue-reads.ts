import { type DbTransaction, type Prisma } from '@weir/workflow-db';
import { z } from 'zod';
import { countBefore, visible, waitingAfter } from './fair-order';
import type { HoldersQuery, QueueReads, QueueWorkspaces } from './queue-reads';

type Tables = Pick<DbTransaction, 'queueItem' | 'queue' | 'queuePause' | 'deadLetter' | '$queryRaw'>;

const columns = {
  runId: true,
  queueName: true,
  rankAt: true,
  availableAt: true,
  claimedBy: true,
  isUnlimited: true,
  workspace: true,
} as const satisfies Prisma.QueueItemSelect;

const Reason = z.enum(['worker_lost', 'not_executed']);

export function createQueueReads(db: Tables): QueueReads {
  return {
    listQueues: async (workspaces) => {
      const rows = await db.$queryRaw<{ name: string; total: bigint | number; claimed: bigint | number }[]>`
        SELECT w."queueName" AS "name", count(*) AS "total", count(w."claimedBy") AS "claimed"
        FROM "QueueItem" w WHERE ${visible(workspaces)}
        GROUP BY w."queueName"`;
      return rows
        .map(({ name, total, claimed }) => ({
          name,
          waiting: Number(total) - Number(claimed),
          claimed: Number(claimed),
        }))
        .toSorted((left, right) => (left.name < right.name ? -1 : 1));
    },
    listDeadLetters: async ({ queueName, workspaces, limit }) => {
      const letters = await db.deadLetter.findMany({
        where: { AND: [queueName === undefined ? {} : { queueName }, isVisible(workspaces)] },
        orderBy: [{ at: 'desc' }, { runId: 'desc' }],
        take: limit,
        omit: { workspace: true },
      });
      return letters.map(({ reason, ...letter }) => ({ ...letter, reason: Reason.parse(reason) }));
    },
    listHolders: (query) =>
      db.queueItem.findMany({
        where: isHolder(query),
        orderBy: [{ rankAt: 'asc' }, { runId: 'asc' }],
        take: query.limit,
        select: columns,
      }),
    listWaiting: async ({ queueName, ...query }) => {
      const keys = await db.$queryRaw<{ readonly runId: string }[]>(waitingAfter(queueName, query));
      const ids = keys.map(({ runId }) => runId);
      const found = await db.queueItem.findMany({ where: { runId: { in: ids }, claimedBy: null }, select: columns });
      const byId = new Map(found.map((entry) => [entry.runId, entry]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    countWaitingBefore: async (entry) => {
      const [row] = await db.$queryRaw<{ readonly count: bigint | number }[]>(countBefore(entry));
      return Number(row?.count ?? 0);
    },
    findEntry: async (runId) => (await db.queueItem.findUnique({ where: { runId }, select: columns })) ?? undefined,
    readLimits: async () =>
      new Map((await db.queue.findMany()).map(({ name, maxConcurrency }) => [name, maxConcurrency])),
    readPauses: async () => new Map((await db.queuePause.findMany()).map(({ name, ...pause }) => [name, pause])),
  };
}

function isHolder({ queueName, workspaces }: HoldersQuery): Prisma.QueueItemWhereInput {
  return {
    AND: [
      queueName === undefined ? {} : { queueName },
      // An index serves this comparison, but not IS NOT NULL.
      { claimedBy: { gt: '' } },
      isVisible(workspaces),
    ],
  };
}

function isVisible({ unassigned, named }: QueueWorkspaces): Prisma.QueueItemWhereInput & Prisma.DeadLetterWhereInput {
  if (unassigned && named === 'all') return {};
  const ofNamed = named === 'all' ? { NOT: { workspace: '' } } : { workspace: { in: [...named] } };
  return { OR: [...(unassigned ? [{ workspace: '' }] : []), ofNamed] };
}
