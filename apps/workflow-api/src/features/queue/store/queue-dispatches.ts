import { sql, type DbTransaction, type QueueDispatch } from '@weir/workflow-db';
import { isClaimed } from './queue-conditions';
import type { DispatchJobs } from './dispatch-jobs';
import { firstLimitedRank } from './queue-driver';

/** The runs of a queue that wait for a worker with these labels. */
export interface DispatchKey {
  readonly queueName: string;
  readonly selector: string;
}

/** The first of them that may be claimed, and from when on. */
interface NextClaim {
  readonly rankAt: Date;
  readonly dueAt: Date;
}

/**
 * Keeps this true of each queue and selector at the end of every transaction that changed the queue, each of which
 * locks the queue first: a run of them may be claimed only if a job of pg-boss says so, due when the run is. A job too
 * many is harmless: whoever takes it finds no run.
 */
export interface QueueDispatches {
  /** A run waits from now on. */
  waits(transaction: DbTransaction, key: DispatchKey, at: Date): Promise<void>;
  /** A slot of the queue became free, or there are more of them. */
  freed(transaction: DbTransaction, queueName: string, at: Date): Promise<void>;
  /** Locks the queue of the job. False for a job that another one has replaced. */
  begin(transaction: DbTransaction, job: DispatchKey & { readonly id: string }): Promise<boolean>;
  /** The job was used, and a run may have been claimed. */
  end(transaction: DbTransaction, key: DispatchKey, at: Date): Promise<void>;
}

// Any number that no other advisory lock uses.
const lockSpace = 7_274_831;

export function createQueueDispatches(jobs: Pick<DispatchJobs, 'send'>): QueueDispatches {
  const send = async (transaction: DbTransaction, key: DispatchKey, next: NextClaim, at: Date): Promise<void> => {
    // Without a time the clock of the database decides, which all share.
    const startAfter = next.dueAt > at ? next.dueAt : undefined;
    const jobId = await jobs.send(transaction, { ...key, rankAt: next.rankAt, startAfter });
    const data = { jobId, ...next };
    await transaction.queueDispatch.upsert({
      where: { queueName_selector: key },
      create: { ...key, ...data },
      update: data,
      select: { queueName: true },
    });
  };
  return {
    waits: async (transaction, key, at) => {
      await lockQueue(transaction, key.queueName);
      const dispatch = await transaction.queueDispatch.findUnique({ where: { queueName_selector: key } });
      const next = await findNextClaim(transaction, key, at);
      if (next === undefined) {
        if (dispatch === null) await transaction.queueDispatch.create({ data: { ...key, rankAt: at, dueAt: at } });
        return;
      }
      if (dispatch === null || next.rankAt < dispatch.rankAt || isLate(dispatch, next, at))
        await send(transaction, key, next, at);
    },
    freed: async (transaction, queueName, at) => {
      await lockQueue(transaction, queueName);
      const dispatches = await transaction.queueDispatch.findMany({ where: { queueName } });
      for (const dispatch of dispatches) {
        const key = { queueName, selector: dispatch.selector };
        const next = await findNextClaim(transaction, key, at);
        if (next !== undefined && isLate(dispatch, next, at)) await send(transaction, key, next, at);
      }
    },
    begin: async (transaction, { id, queueName, selector }) => {
      await lockQueue(transaction, queueName);
      const where = { queueName, selector, jobId: id };
      return (await transaction.queueDispatch.updateMany({ where, data: { jobId: null } })).count > 0;
    },
    end: async (transaction, key, at) => {
      const next = await findNextClaim(transaction, key, at);
      if (next !== undefined) await send(transaction, key, next, at);
      else if (!(await hasWaiting(transaction, key))) await transaction.queueDispatch.deleteMany({ where: { ...key } });
    },
  };
}

/** Whether there is no job, or one that is due only after the run may be claimed. */
function isLate({ jobId, dueAt }: Pick<QueueDispatch, 'jobId' | 'dueAt'>, next: NextClaim, at: Date): boolean {
  return jobId === null || (dueAt > at && next.dueAt < dueAt);
}

/** Until the end of the transaction. Claims of other queues go on. */
async function lockQueue(transaction: DbTransaction, queueName: string): Promise<void> {
  await transaction.$queryRaw`SELECT 1 AS "held" FROM pg_advisory_xact_lock(${lockSpace}::int, hashtext(${queueName}))`;
}

async function hasWaiting({ queueItem }: DbTransaction, key: DispatchKey): Promise<boolean> {
  return (await queueItem.findFirst({ where: { ...key, claimedBy: null }, select: { runId: true } })) !== null;
}

/**
 * Runs that need no slot have the earliest ranks, so the rank alone says up to where the index has to be read while the
 * queue is full or paused, however long it is.
 */
async function findNextClaim(
  transaction: DbTransaction,
  { queueName, selector }: DispatchKey,
  at: Date,
): Promise<NextClaim | undefined> {
  const waiting = sql`
    FROM "QueueItem" i WHERE i."queueName" = ${queueName} AND i."claimedBy" IS NULL AND i."selector" = ${selector} AND i."rankAt" < (SELECT "before" FROM open)`;
  const [next] = await transaction.$queryRaw<NextClaim[]>`
    WITH open AS (SELECT ${rankLimit(queueName)} AS "before")
    (SELECT i."rankAt", i."availableAt" AS "dueAt" ${waiting} AND i."availableAt" <= ${at}
      ORDER BY i."rankAt" LIMIT 1)
    UNION ALL
    (SELECT i."rankAt", i."availableAt" AS "dueAt" ${waiting} AND i."availableAt" > ${at}
      ORDER BY i."availableAt" LIMIT 1)
    LIMIT 1`;
  return next;
}

/** Only items before this rank may be claimed. */
export function rankLimit(queueName: string) {
  return sql`CASE WHEN
      NOT EXISTS (SELECT 1 FROM "QueuePause" p WHERE p."name" = ${queueName})
      AND (SELECT count(*) FROM "QueueItem" h WHERE h."queueName" = ${queueName} AND ${isClaimed('h')})
        < COALESCE((SELECT l."maxConcurrency" FROM "Queue" l WHERE l."name" = ${queueName}), 1)
    THEN 'infinity'::timestamp ELSE ${firstLimitedRank}::timestamp END`;
}
