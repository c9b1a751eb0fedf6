import { joinSql, noSql, sql, type DatabaseProvider, type DbTransaction } from '@weir/workflow-db';
import { runStatus } from '@weir/workflow-engine';
import type { ClaimRequest } from './queue-driver';

type Sql = ReturnType<typeof sql>;

export interface ClaimStatements {
  /** Whether a claim would find something; locks nothing. */
  exists(db: DbTransaction, request: ClaimRequest): Promise<boolean>;
  /** Makes the first run that may begin the owner's. */
  claim(transaction: DbTransaction, request: ClaimRequest): Promise<ClaimedRow | undefined>;
}

export interface ClaimedRow {
  readonly id: string;
  readonly fencingToken: number;
}

// Claimed by whom at least is known: an index finds those, and not what IS NOT NULL asks for.
const isClaimed = (alias: 'i' | 'h'): Sql => (alias === 'i' ? sql`i."claimedBy" > ''` : sql`h."claimedBy" > ''`);
const claimable = runStatus.all.filter(runStatus.isInQueue);
// Any number; it stands for claims only.
const claimLock = 7_274_831;

/** @param leaseMs Silence after which an owner is lost; without it, everybody else is. */
export function createClaimStatements(provider: DatabaseProvider, leaseMs: number | undefined): ClaimStatements {
  const candidate = (request: ClaimRequest): Sql =>
    request.from === 'lost'
      ? firstExpired(request.owner, silence(leaseMs))
      : request.within === undefined
        ? firstWaiting(request.at)
        : firstWithin(request.within, request.at);
  const isPostgres = provider === 'postgresql';
  return {
    exists: async (db, request) => (await db.$queryRaw<unknown[]>(candidate(request))).length > 0,
    claim: async (transaction, request) => {
      // One claim after the other: how many places of a queue are taken must not change in between. Each is short.
      if (isPostgres) await transaction.$queryRaw`SELECT 1 AS "held" FROM pg_advisory_xact_lock(${claimLock})`;
      // A run that somebody is ending at this moment is passed by.
      const skipLocked = isPostgres ? sql`FOR UPDATE OF r SKIP LOCKED` : noSql;
      const [claimed] = await transaction.$queryRaw<ClaimedRow[]>`
        UPDATE "DagRun" SET "status" = 'running', "ownerId" = ${request.owner},
          "startedAt" = COALESCE("startedAt", ${request.at}),
          "fencingToken" = "fencingToken" + 1, "rowVersion" = "rowVersion" + 1
        WHERE "id" = (${candidate(request)} ${skipLocked}) AND "status" IN (${joinSql(claimable)})
        RETURNING "id", "fencingToken"`;
      return claimed;
    },
  };
}

/**
 * The first of each queue that has room, and of those the first. Goes from queue to queue by the index, so that what
 * waits in a full one is passed over at once, however much it is.
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
    WHERE i."isUnlimited"
      OR (SELECT count(*) FROM "QueueItem" h WHERE h."queueName" = q."name" AND ${isClaimed('h')})
        < COALESCE((SELECT l."maxConcurrency" FROM "Queue" l WHERE l."name" = q."name"), 1)
    ORDER BY i."rankAt", i."runId" LIMIT 1`;
}

/** Somebody carries these out by hand: they wait for no place. */
function firstWithin(rootId: string, at: Date): Sql {
  return sql`
    SELECT r."id" FROM "QueueItem" i
    JOIN "DagRun" r ON r."id" = i."runId"
    WHERE i."claimedBy" IS NULL AND i."availableAt" <= ${at} AND (r."id" = ${rootId} OR r."rootId" = ${rootId})
    ORDER BY i."rankAt", i."runId" LIMIT 1`;
}

function firstExpired(owner: string, isSilent: Sql): Sql {
  return sql`
    SELECT r."id" FROM "QueueItem" i
    JOIN "DagRun" r ON r."id" = i."runId"
    WHERE ${isClaimed('i')} AND i."claimedBy" <> ${owner} ${isSilent}
    ORDER BY i."rankAt", i."runId" LIMIT 1`;
}

/** By the clock of the database: those of its clients may differ. */
function silence(leaseMs: number | undefined): Sql {
  if (leaseMs === undefined) return noSql;
  return sql`AND NOT EXISTS (
    SELECT 1 FROM "Runner" a WHERE a."id" = i."claimedBy"
      AND a."heartbeatAt" >= (clock_timestamp() AT TIME ZONE 'utc') - ${leaseMs}::int * interval '1 millisecond'
  )`;
}
