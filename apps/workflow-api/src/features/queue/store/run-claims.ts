import { joinSql, sql, type DatabaseProvider, type DbTransaction } from '@weir/workflow-db';
import { runStatus } from '@weir/workflow-engine/model';
import { isClaimed, isExpired, matchesLabels, type Lease, type Sql } from './queue-conditions';
import type { DeadLetter } from './dead-letter';
import type { ClaimRequest, QueueClaim } from './queue-driver';
import { readProgress, recordAttempt, toTakeOver } from './run-attempts';

const claimable = runStatus.all.filter(runStatus.isInQueue);

export interface ClaimOptions extends Pick<ClaimRequest, 'owner' | 'at'> {
  readonly maxFailures: number;
  /** The kind of failure of its last worker, if it failed. */
  readonly reason?: DeadLetter['reason'];
}

/** Returns the key of the run that this fragment selects. */
export async function findFirst(db: Pick<DbTransaction, '$queryRaw'>, first: Sql): Promise<string | undefined> {
  const [found] = await db.$queryRaw<{ readonly id: string }[]>`${first}`;
  return found?.id;
}

/** Gives the run that this fragment selects to the owner. */
export async function claimFirst(
  transaction: DbTransaction,
  first: Sql,
  { owner, at, maxFailures, reason = 'not_executed' }: ClaimOptions,
): Promise<QueueClaim | undefined> {
  const [claimed] = await transaction.$queryRaw<{ readonly id: string; readonly fencingToken: number }[]>`
    UPDATE "DagRun" SET "status" = 'running', "ownerId" = ${owner},
      "startedAt" = COALESCE("startedAt", ${at}),
      "fencingToken" = "fencingToken" + 1, "rowVersion" = "rowVersion" + 1
    WHERE "id" = (${first}) AND "status" IN (${joinSql(claimable)})
    RETURNING "id", "fencingToken"`;
  if (claimed === undefined) return undefined;
  const { id: runId, fencingToken: token } = claimed;
  const [item] = await transaction.queueItem.updateManyAndReturn({
    where: { runId },
    data: { claimedBy: owner, token },
    select: { queueName: true, workspace: true, failures: true },
  });
  if (item === undefined || item.failures < maxFailures) return { runId, token };
  const letter = { ...item, reason, at };
  await transaction.deadLetter.upsert({ where: { runId }, create: { runId, ...letter }, update: letter });
  return { runId, token, givenUp: { reason, failures: item.failures } };
}

/** Selects runs below a run that a command executes: they need no slot. */
export function firstWithin(rootId: string, at: Date, skipLocked: Sql): Sql {
  return sql`
    SELECT r."id" FROM "QueueItem" i
    JOIN "DagRun" r ON r."id" = i."runId"
    WHERE i."claimedBy" IS NULL AND i."availableAt" <= ${at}
      AND (r."id" = ${rootId} OR r."rootId" = ${rootId})
    ORDER BY i."rankAt", i."runId" LIMIT 1 ${skipLocked}`;
}

/** Finds the first run whose owner let its lease expire. */
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

/**
 * Does the same, and records another execution of the run; it counts as a failure of its worker unless the worker
 * gave the run back.
 */
export async function takeOver(
  transaction: DbTransaction,
  first: Sql,
  request: ClaimOptions,
): Promise<QueueClaim | undefined> {
  const runId = await findFirst(transaction, first);
  if (runId === undefined) return undefined;
  const item = await transaction.queueItem.findUnique({
    where: { runId },
    select: { claimedBy: true, run: { select: { id: true, ownerId: true, startedAt: true, attempt: true } } },
  });
  if (!item?.claimedBy) return undefined;
  const { run, claimedBy } = item;
  const { reusedSteps, hasProgressed } = await readProgress(transaction, runId);
  if (run.ownerId !== null) {
    const failures = hasProgressed ? 1 : { increment: 1 };
    await transaction.queueItem.updateMany({ where: { runId }, data: { failures } });
  }
  const claim = await claimFirst(transaction, sql`${runId}`, { ...request, reason: 'worker_lost' });
  if (claim !== undefined) {
    await recordAttempt(transaction, runId, toTakeOver({ ...run, claimedBy }, { at: request.at, reusedSteps }));
  }
  return claim;
}
