import { noSql, sql, type Database, type DbTransaction } from '@weir/workflow-db';
import type { WorkerLabels } from '@weir/workflow-engine/model';
import { matchesLabels, type Sql } from './queue-conditions';
import { createDispatchJobs, type DispatchJobs } from './dispatch-jobs';
import { fairOrder, storeServed } from './fair-order';
import type { QueueDispatch } from './queue-dispatch';
import type { QueueClaim } from './queue-driver';
import { storeQueueItem } from './queue-items';
import { createQueueDispatches, rankLimit, type QueueDispatches, type DispatchKey } from './queue-dispatches';
import { claimFirst, findFirst, firstWithin, type ClaimOptions } from './run-claims';
import { createWakeUp } from './wake-up';

interface Parts extends Pick<Database, 'db' | 'unitOfWork'> {
  readonly jobs: DispatchJobs;
  readonly dispatches: QueueDispatches;
}

/** On this channel, processes notify each other of runs that ended or began to wait. */
export const runsChannel = 'weir_runs';

// A run that another transaction is changing is skipped.
const skipLocked = sql`FOR UPDATE OF r, i SKIP LOCKED`;

/**
 * Uses the queues of a PostgreSQL database, which pg-boss dispatches: a job says that a worker with these labels may
 * claim a run of this queue. When the job is used, Weir's own tables decide which run that is, and whether there is a
 * free slot.
 */
export function createPostgresDispatch(
  database: Pick<Database, 'db' | 'unitOfWork' | 'listen' | 'queryOnOwnConnection'>,
): QueueDispatch {
  const jobs = createDispatchJobs(database);
  const parts: Parts = { ...database, jobs, dispatches: createQueueDispatches(jobs) };
  const { dispatches } = parts;
  const wakeUp = createWakeUp();
  return {
    enqueue: async (transaction, item) => {
      await storeQueueItem(transaction, item);
      const { queueName, selector, at } = item;
      if (item.claimedBy === null) await dispatches.waits(transaction, { queueName, selector }, at);
    },
    complete: async (transaction, runId) => {
      const [item] = await transaction.$queryRaw<{ readonly queueName: string; readonly claimedBy: string | null }[]>`
        WITH left_queue AS (DELETE FROM "QueueItem" WHERE "runId" = ${runId} RETURNING "queueName", "claimedBy"),
          served AS (DELETE FROM "QueueShare" s USING left_queue l WHERE s."queueName" = l."queueName"
            AND NOT EXISTS (SELECT 1 FROM "QueueItem" o WHERE o."queueName" = l."queueName" AND o."runId" <> ${runId}))
        SELECT "queueName", "claimedBy", pg_notify(${runsChannel}, ${runId})::text AS "told" FROM left_queue`;
      if (item?.claimedBy != null) await dispatches.freed(transaction, item.queueName, new Date());
    },
    released: async (transaction, runId, at) => {
      const { queueName, selector } = await transaction.queueItem.findUniqueOrThrow({ where: { runId } });
      await dispatches.waits(transaction, { queueName, selector }, at);
      await dispatches.freed(transaction, queueName, at);
    },
    opened: (queueName) => openQueues(parts, queueName),
    watch: async (onClaimable) => {
      const unwatch = await jobs.watch(onClaimable);
      const stopTimer = wakeUp.start(onClaimable);
      return async () => {
        stopTimer();
        await unwatch();
      };
    },
    isClaimable: async (db, { within, at, labels }) => {
      if (within !== undefined) return (await findFirst(db, firstWithin(within, at, noSql))) !== undefined;
      const { selector, nextAt } = await findTurn(db, labels, at);
      // A job for a later time is sent without a notification.
      if (nextAt !== null) wakeUp.at(nextAt, at);
      return selector !== null;
    },
    claim: async (transaction, request) => {
      const { within, at, labels } = request;
      if (within !== undefined) return claimFirst(transaction, firstWithin(within, at, skipLocked), request);
      const { selector } = await findTurn(transaction, labels, at);
      return selector === null ? undefined : claimByJob(parts, transaction, { ...request, selector });
    },
  };
}

interface FoundTurn {
  /** The selector of the first run that may be claimed; `null` for none. */
  readonly selector: string | null;
  /** The time when the next pending job is due. */
  readonly nextAt: Date | null;
}

/** Finds what a worker with these labels may claim according to the dispatches. */
async function findTurn(db: Pick<DbTransaction, '$queryRaw'>, labels: WorkerLabels, at: Date): Promise<FoundTurn> {
  const dispatches = sql`FROM "QueueDispatch" i WHERE i."jobId" IS NOT NULL AND ${matchesLabels('postgresql', labels)}`;
  const [found] = await db.$queryRaw<FoundTurn[]>`
    SELECT (SELECT i."selector" ${dispatches} AND i."dueAt" <= ${at} ORDER BY i."rankAt" LIMIT 1) AS "selector",
      (SELECT min(i."dueAt") ${dispatches} AND i."dueAt" > ${at}) AS "nextAt"`;
  return found ?? { selector: null, nextAt: null };
}

/** Takes one job at a time, so that no two queues are locked. */
async function claimByJob(
  { jobs, dispatches }: Parts,
  transaction: DbTransaction,
  request: ClaimOptions & Pick<DispatchKey, 'selector'>,
): Promise<QueueClaim | 'again' | undefined> {
  const { selector, at } = request;
  const job = await jobs.take(transaction, selector);
  if (job === undefined) return undefined;
  const key = { queueName: job.queueName, selector };
  if (!(await dispatches.begin(transaction, { ...key, id: job.id }))) return 'again';
  const claim = await claimFirst(transaction, firstOf(key, at), request);
  if (claim !== undefined) await storeServed(transaction, claim.runId);
  await dispatches.end(transaction, key, at);
  return claim ?? 'again';
}

/** The index leads from workspace to workspace, and to the first run of each, so the number of waiting runs does not matter. */
function firstOf({ queueName, selector }: DispatchKey, at: Date): Sql {
  const waiting = sql`n."queueName" = ${queueName} AND n."claimedBy" IS NULL`;
  return sql`
    SELECT r."id" FROM "QueueItem" i
    JOIN "DagRun" r ON r."id" = i."runId"
    WHERE i."claimedBy" IS NULL AND i."runId" = (
      WITH RECURSIVE q("workspace") AS (
        SELECT min(n."workspace") FROM "QueueItem" n WHERE ${waiting}
        UNION ALL
        SELECT (SELECT min(n."workspace") FROM "QueueItem" n WHERE ${waiting} AND n."workspace" > q."workspace")
        FROM q WHERE q."workspace" IS NOT NULL
      )
      SELECT w."runId" FROM q
      JOIN "QueueItem" w ON w."runId" = (
        SELECT n."runId" FROM "QueueItem" n
        WHERE ${waiting} AND n."workspace" = q."workspace" AND n."selector" = ${selector}
          AND n."availableAt" <= ${at} AND n."rankAt" < (SELECT ${rankLimit(queueName)})
        ORDER BY n."rankAt", n."runId" LIMIT 1
      )
      ORDER BY ${fairOrder} LIMIT 1
    ) ${skipLocked}`;
}

/** Uses one transaction for each queue, so that no two are locked at a time. */
async function openQueues({ db, unitOfWork, dispatches }: Parts, queueName: string | undefined): Promise<void> {
  const names = queueName === undefined ? await listWaitingQueues(db) : [queueName];
  for (const name of names) {
    await unitOfWork((transaction) => dispatches.freed(transaction, name, new Date()), { isolation: 'read_committed' });
  }
}

/** Includes queues whose runs came from another database, where they needed no job. */
async function listWaitingQueues(db: Pick<DbTransaction, '$queryRaw' | '$executeRaw'>): Promise<readonly string[]> {
  await db.$executeRaw`
    INSERT INTO "QueueDispatch" ("queueName", "selector", "rankAt", "dueAt")
    SELECT i."queueName", i."selector", min(i."rankAt"), min(i."availableAt") FROM "QueueItem" i
    WHERE i."claimedBy" IS NULL GROUP BY i."queueName", i."selector"
    ON CONFLICT DO NOTHING`;
  const rows = await db.$queryRaw<{ readonly name: string }[]>`
    SELECT DISTINCT t."queueName" AS "name" FROM "QueueDispatch" t WHERE t."jobId" IS NULL`;
  return rows.map(({ name }) => name);
}
