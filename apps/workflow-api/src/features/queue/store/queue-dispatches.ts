import { sql, type DbTransaction, type QueueDispatch } from '@weir/workflow-db';
import { isClaimed } from './queue-conditions';
import type { DispatchJobs } from './dispatch-jobs';
import { firstLimitedRank } from './queue-driver';

/** The runs of a queue that wait for a worker with these labels. */
export interface DispatchKey {
  readonly queueName: string;
  readonly selector: string;
}

/** The first of these runs that may be claimed, with the time from which it may. */
interface NextClaim {
  readonly rankAt: Date;
  readonly dueAt: Date;
}

/**
 * Maintains an invariant for each queue and selector at the end of every transaction that changed the queue, each of
 * which locks the queue first: if a run may be claimed, there is a job of pg-boss for it, due when the run is. A
 * surplus job is harmless: its worker finds no run.
 */
export interface QueueDispatches {
  /** Records that a run waits from now on. */
  waits(transaction: DbTransaction, key: DispatchKey, at: Date): Promise<void>;
  /** Records that a slot of the queue became free, or that there are more of them. */
  freed(transaction: DbTransaction, queueName: string, at: Date): Promise<void>;
  /** Locks the queue of the job. Returns false for a job that was replaced. */
  begin(transaction: DbTransaction, job: DispatchKey & { readonly id: string }): Promise<boolean>;
  /** Records that the job was used, and that a run may have been claimed. */
  end(transaction: DbTransaction, key: DispatchKey, at: Date): Promise<void>;
}

// The number must differ from those of other advisory locks.
const lockSpace = 7_274_831;

export function createQueueDispatches(jobs: Pick<DispatchJobs, 'send'>): QueueDispatches {
  const send = async (transaction: DbTransaction, key: DispatchKey, next: NextClaim, at: Date): Promise<void> => {
    // Without a time the clock of the database decides, which all processes share.
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

/** Whether there is no job, or only one that is due later than the run. */
function isLate({ jobId, dueAt }: Pick<QueueDispatch, 'jobId' | 'dueAt'>, next: NextClaim, at: Date): boolean {
  return jobId === null || (dueAt > at && next.dueAt < dueAt);
}

/** Locks the queue until the end of the transaction. Claims of other queues continue. */
async function lockQueue(transaction: DbTransaction, queueName: string): Promise<void> {
  await transaction.$queryRaw`SELECT 1 AS "held" FROM pg_advisory_xact_lock(${lockSpace}::int, hashtext(${queueName}))`;
}

async function hasWaiting({ queueItem }: DbTransaction, key: DispatchKey): Promise<boolean> {
  return (await queueItem.findFirst({ where: { ...key, claimedBy: null }, select: { runId: true } })) !== null;
}

/**
 * Runs that need no slot have the earliest ranks, so while the queue is full or paused, the rank alone limits how far
 * the index is read, for any length of the queue.
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
