import { joinSql, sql, type DatabaseProvider, type DbTransaction } from '@weir/workflow-db';
import { runStatus } from '@weir/workflow-engine';
import { isClaimed, isExpired, matchesLabels, type Lease, type Sql } from './queue-conditions';
import type { ClaimRequest, QueueClaim } from './queue-driver';
import { recordTakeOver } from './run-attempts';

const claimable = runStatus.all.filter(runStatus.isInQueue);

/** The key of the run that this fragment selects. */
export async function findFirst(db: Pick<DbTransaction, '$queryRaw'>, first: Sql): Promise<string | undefined> {
  const [found] = await db.$queryRaw<{ readonly id: string }[]>`${first}`;
  return found?.id;
}

/** Gives the run that this fragment selects to the owner. */
export async function claimFirst(
  transaction: DbTransaction,
  first: Sql,
  { owner, at }: Pick<ClaimRequest, 'owner' | 'at'>,
): Promise<QueueClaim | undefined> {
  const [claimed] = await transaction.$queryRaw<{ readonly id: string; readonly fencingToken: number }[]>`
    UPDATE "DagRun" SET "status" = 'running', "ownerId" = ${owner},
      "startedAt" = COALESCE("startedAt", ${at}),
      "fencingToken" = "fencingToken" + 1, "rowVersion" = "rowVersion" + 1
    WHERE "id" = (${first}) AND "status" IN (${joinSql(claimable)})
    RETURNING "id", "fencingToken"`;
  if (claimed === undefined) return undefined;
  const { id: runId, fencingToken: token } = claimed;
  await transaction.queueItem.updateMany({ where: { runId }, data: { claimedBy: owner, token } });
  return { runId, token };
}

/** These runs belong to a run that is executed by a command: they need no slot. */
export function firstWithin(rootId: string, at: Date, skipLocked: Sql): Sql {
  return sql`
    SELECT r."id" FROM "QueueItem" i
    JOIN "DagRun" r ON r."id" = i."runId"
    WHERE i."claimedBy" IS NULL AND i."availableAt" <= ${at}
      AND (r."id" = ${rootId} OR r."rootId" = ${rootId})
    ORDER BY i."rankAt", i."runId" LIMIT 1 ${skipLocked}`;
}

/** The first run whose owner let its lease expire. */
export async function firstExpired(
  db: DbTransaction,
  { owner, labels }: Pick<ClaimRequest, 'owner' | 'labels'>,
  { provider, lease }: { readonly provider: DatabaseProvider; readonly lease: Lease },
): Promise<Sql> {
  return sql`
    SELECT r."id" FROM "QueueItem" i
    JOIN "DagRun" r ON r."id" = i."runId"
    WHERE ${isClaimed('i')} AND i."claimedBy" <> ${owner} AND ${await isExpired(db, lease)}
      AND ${matchesLabels(provider, labels)}
    ORDER BY i."rankAt", i."runId" LIMIT 1`;
}

/** The same, recorded as another execution of the run. */
export async function takeOver(
  transaction: DbTransaction,
  first: Sql,
  request: Pick<ClaimRequest, 'owner' | 'at'>,
): Promise<QueueClaim | undefined> {
  const runId = await findFirst(transaction, first);
  if (runId === undefined) return undefined;
  const item = await transaction.queueItem.findUnique({
    where: { runId },
    select: { claimedBy: true, run: { select: { id: true, ownerId: true, startedAt: true, attempt: true } } },
  });
  if (!item?.claimedBy) return undefined;
  const claim = await claimFirst(transaction, sql`${runId}`, request);
  if (claim !== undefined) await recordTakeOver(transaction, { ...item.run, claimedBy: item.claimedBy }, request.at);
  return claim;
}
