import { joinSql, noSql, sql, type DbTransaction, type Prisma } from '@weir/workflow-db';
import type { QueueEntryQuery, QueueReads, QueueWorkspaces } from './queue-reads';

type Tables = Pick<DbTransaction, 'queueItem' | 'queue' | 'queuePause' | '$queryRaw'>;

const columns = {
  runId: true,
  queueName: true,
  rankAt: true,
  availableAt: true,
  claimedBy: true,
  isUnlimited: true,
} as const satisfies Prisma.QueueItemSelect;

export function createQueueReads(db: Tables): QueueReads {
  return {
    listQueues: async (workspaces) => {
      const rows = await db.$queryRaw<{ name: string; total: bigint | number; claimed: bigint | number }[]>`
        SELECT i."queueName" AS "name", count(*) AS "total", count(i."claimedBy") AS "claimed"
        FROM "QueueItem" i ${visibleOnly(workspaces)}
        GROUP BY i."queueName"`;
      return rows
        .map(({ name, total, claimed }) => ({
          name,
          waiting: Number(total) - Number(claimed),
          claimed: Number(claimed),
        }))
        .toSorted((left, right) => (left.name < right.name ? -1 : 1));
    },
    listEntries: (query) =>
      db.queueItem.findMany({
        where: toWhere(query),
        orderBy: [{ rankAt: 'asc' }, { runId: 'asc' }],
        take: query.limit,
        select: columns,
      }),
    countWaitingBefore: ({ queueName, rankAt, runId }) =>
      db.queueItem.count({
        where: { queueName, claimedBy: null, OR: [{ rankAt: { lt: rankAt } }, { rankAt, runId: { lt: runId } }] },
      }),
    findEntry: async (runId) => (await db.queueItem.findUnique({ where: { runId }, select: columns })) ?? undefined,
    readLimits: async () =>
      new Map((await db.queue.findMany()).map(({ name, maxConcurrency }) => [name, maxConcurrency])),
    readPauses: async () => new Map((await db.queuePause.findMany()).map(({ name, ...pause }) => [name, pause])),
  };
}

function visibleOnly({ unassigned, named }: QueueWorkspaces) {
  if (unassigned && named === 'all') return noSql;
  const conditions = [
    ...(unassigned ? [sql`r."workspace" IS NULL`] : []),
    ...(named === 'all' ? [sql`r."workspace" IS NOT NULL`] : []),
    ...(named !== 'all' && named.length > 0 ? [sql`r."workspace" IN (${joinSql([...named])})`] : []),
  ];
  const condition = conditions.length === 0 ? sql`1 = 0` : joinSql(conditions, ' OR ');
  return sql`JOIN "DagRun" r ON r."id" = i."runId" WHERE ${condition}`;
}

function toWhere({ queueName, isClaimed, workspaces, after }: QueueEntryQuery): Prisma.QueueItemWhereInput {
  return {
    AND: [
      queueName === undefined ? {} : { queueName },
      // An index serves this comparison, and not IS NOT NULL.
      { claimedBy: isClaimed ? { gt: '' } : null },
      toRunCondition(workspaces),
      after === undefined
        ? {}
        : { OR: [{ rankAt: { gt: after.rankAt } }, { rankAt: after.rankAt, runId: { gt: after.runId } }] },
    ],
  };
}

function toRunCondition({ unassigned, named }: QueueWorkspaces): Prisma.QueueItemWhereInput {
  if (unassigned && named === 'all') return {};
  const ofNamed = named === 'all' ? { workspace: { not: null } } : { workspace: { in: [...named] } };
  return { run: { OR: [...(unassigned ? [{ workspace: null }] : []), ofNamed] } };
}
