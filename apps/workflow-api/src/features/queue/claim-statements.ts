import { joinSql, noSql, sql, type DatabaseProvider, type DbTransaction } from '@weir/workflow-db';
import { runStatus } from '@weir/workflow-engine';
import type { ClaimRequest } from './queue-driver';
import type { LostRun } from './run-attempts';

type Sql = ReturnType<typeof sql>;

export interface ClaimStatements {
  /** Whether a claim would find a run; locks nothing. */
  exists(db: DbTransaction, request: ClaimRequest): Promise<boolean>;
  /** Gives the first claimable run to the owner. */
  claim(transaction: DbTransaction, request: ClaimRequest): Promise<ClaimedRun | undefined>;
}

export interface ClaimedRun {
  readonly id: string;
  readonly fencingToken: number;
  /** What the run was before, when it is taken from a worker. */
  readonly lost?: LostRun;
}

// An index serves this comparison, and not IS NOT NULL.
const isClaimed = (alias: 'i' | 'h'): Sql => (alias === 'i' ? sql`i."claimedBy" > ''` : sql`h."claimedBy" > ''`);
const claimable = runStatus.all.filter(runStatus.isInQueue);
// Any number that no other advisory lock uses.
const claimLock = 7_274_831;

/** What the owner of a run keeps it by: heartbeats, at most this time apart, or being alive. */
export type Lease = { readonly heartbeatMs: number } | { readonly isAlive: (owner: string) => boolean };

export function createClaimStatements(provider: DatabaseProvider, lease: Lease): ClaimStatements {
  const candidate = async (db: DbTransaction, { from, owner, within, at }: ClaimRequest): Promise<Sql> => {
    if (from === 'expired') return firstExpired(owner, await expiry(db, lease));
    return within === undefined ? firstWaiting(at) : firstWithin(within, at);
  };
  const isPostgres = provider === 'postgresql';
  return {
    exists: async (db, request) => (await db.$queryRaw<unknown[]>(await candidate(db, request))).length > 0,
    claim: async (transaction, request) => {
      // Claims run one after the other, because the number of free slots must not change in between. Each is short.
      if (isPostgres) await transaction.$queryRaw`SELECT 1 AS "held" FROM pg_advisory_xact_lock(${claimLock})`;
      // A run that another transaction is changing is skipped.
      const skipLocked = isPostgres ? sql`FOR UPDATE OF r SKIP LOCKED` : noSql;
      const first = sql`${await candidate(transaction, request)} ${skipLocked}`;
      const lost = request.from === 'expired' ? await readLost(transaction, first) : undefined;
      if (request.from === 'expired' && lost === undefined) return undefined;
      const [claimed] = await transaction.$queryRaw<Pick<ClaimedRun, 'id' | 'fencingToken'>[]>`
        UPDATE "DagRun" SET "status" = 'running', "ownerId" = ${request.owner},
          "startedAt" = COALESCE("startedAt", ${request.at}),
          "fencingToken" = "fencingToken" + 1, "rowVersion" = "rowVersion" + 1
        WHERE "id" = (${lost === undefined ? first : sql`${lost.id}`}) AND "status" IN (${joinSql(claimable)})
        RETURNING "id", "fencingToken"`;
      return claimed && (lost === undefined ? claimed : { ...claimed, lost });
    },
  };
}

/** Locks the run where rows are locked, so that it is this one that is claimed. */
async function readLost(db: DbTransaction, first: Sql): Promise<LostRun | undefined> {
  const [found] = await db.$queryRaw<{ readonly id: string }[]>`${first}`;
  if (found === undefined) return undefined;
  const item = await db.queueItem.findUnique({
    where: { runId: found.id },
    select: { claimedBy: true, run: { select: { id: true, ownerId: true, startedAt: true, attempt: true } } },
  });
  return item?.claimedBy ? { ...item.run, claimedBy: item.claimedBy } : undefined;
}

/**
 * The first run of all queues that have a free slot and are not paused. The index leads from queue to queue, so that a
 * full queue is skipped at once, however long it is.
 */
function firstWaiting(at: Date): Sql {
  return sql`
    WITH RECURSIVE q("name") AS (
      SELECT min("queueName") FROM "QueueItem"
      UNION ALL
      SELECT (SELECT min(n."queueName") FROM "QueueItem" n WHERE n."queueName" > q."name")
      FROM q WHERE q."name" IS NOT NULL
    )
    SELECT r."id" FROM q
    JOIN "QueueItem" i ON i."runId" = (
      SELECT w."runId" FROM "QueueItem" w
      WHERE w."queueName" = q."name" AND w."claimedBy" IS NULL AND w."availableAt" <= ${at}
      ORDER BY w."rankAt" LIMIT 1
    )
    JOIN "DagRun" r ON r."id" = i."runId"
    WHERE i."isUnlimited" OR (
      NOT EXISTS (SELECT 1 FROM "QueuePause" p WHERE p."name" = q."name")
      AND (SELECT count(*) FROM "QueueItem" h WHERE h."queueName" = q."name" AND ${isClaimed('h')})
        < COALESCE((SELECT l."maxConcurrency" FROM "Queue" l WHERE l."name" = q."name"), 1)
    )
    ORDER BY i."rankAt", i."runId" LIMIT 1`;
}

/** These runs belong to a run that is executed by a command: they need no slot. */
function firstWithin(rootId: string, at: Date): Sql {
  return sql`
    SELECT r."id" FROM "QueueItem" i
    JOIN "DagRun" r ON r."id" = i."runId"
    WHERE i."claimedBy" IS NULL AND i."availableAt" <= ${at} AND (r."id" = ${rootId} OR r."rootId" = ${rootId})
    ORDER BY i."rankAt", i."runId" LIMIT 1`;
}

function firstExpired(owner: string, isExpired: Sql): Sql {
  return sql`
    SELECT r."id" FROM "QueueItem" i
    JOIN "DagRun" r ON r."id" = i."runId"
    WHERE ${isClaimed('i')} AND i."claimedBy" <> ${owner} AND ${isExpired}
    ORDER BY i."rankAt", i."runId" LIMIT 1`;
}

async function expiry(db: DbTransaction, lease: Lease): Promise<Sql> {
  return 'isAlive' in lease ? ownedByDead(db, lease.isAlive) : silentFor(lease.heartbeatMs);
}

/** By the clock of the database, because those of its clients may differ. */
function silentFor(ms: number): Sql {
  return sql`NOT EXISTS (
    SELECT 1 FROM "Runner" a WHERE a."id" = i."claimedBy"
      AND a."heartbeatAt" >= (clock_timestamp() AT TIME ZONE 'utc') - ${ms}::int * interval '1 millisecond'
  )`;
}

/** Looked up after the owners were read: a worker is alive before it owns anything. */
async function ownedByDead(db: DbTransaction, isAlive: (owner: string) => boolean): Promise<Sql> {
  const owners = await db.$queryRaw<{ readonly owner: string }[]>`
    SELECT DISTINCT i."claimedBy" AS "owner" FROM "QueueItem" i WHERE ${isClaimed('i')}`;
  const dead = owners.filter(({ owner }) => !isAlive(owner)).map(({ owner }) => owner);
  return dead.length === 0 ? sql`FALSE` : sql`i."claimedBy" IN (${joinSql(dead)})`;
}
