import { noSql, sql } from '@weir/workflow-db';
import { fairOrder, storeServed } from './fair-order';
import { isClaimed, matchesLabels, type Sql } from './queue-conditions';
import type { ClaimRequest } from './queue-driver';
import { claimFirst, findFirst, firstWithin } from './run-claims';
import type { QueueDispatch } from './queue-dispatch';
import { deleteQueueItem, storeQueueItem } from './queue-items';

/** Uses the queues of a SQLite file, whose transactions run one after another. */
export function createSqliteDispatch(): QueueDispatch {
  return {
    enqueue: storeQueueItem,
    complete: deleteQueueItem,
    released: () => Promise.resolve(),
    opened: () => Promise.resolve(),
    watch: () => Promise.resolve(() => Promise.resolve()),
    // Most claims find nothing, and this query costs less than a transaction.
    isClaimable: async (db, request) => (await findFirst(db, toWaiting(request))) !== undefined,
    claim: async (transaction, request) => {
      const claim = await claimFirst(transaction, toWaiting(request), request);
      if (claim !== undefined) await storeServed(transaction, claim.runId);
      return claim;
    },
  };
}

function toWaiting({ within, at, labels }: ClaimRequest): Sql {
  return within === undefined ? firstWaiting(at, labels) : firstWithin(within, at, noSql);
}

/**
 * Selects the first run of all queues that have a free slot and are not paused. The index leads from one workspace of
 * a queue to the next, so a full queue of any length is skipped at once.
 */
function firstWaiting(at: Date, labels: ClaimRequest['labels']): Sql {
  return sql`
    WITH RECURSIVE q("name", "workspace") AS (
      SELECT * FROM (
        SELECT n."queueName", n."workspace" FROM "QueueItem" n WHERE n."claimedBy" IS NULL
        ORDER BY n."queueName", n."workspace" LIMIT 1
      )
      UNION ALL
      SELECT x."queueName", x."workspace" FROM q
      JOIN "QueueItem" x ON x."runId" = (
        SELECT n."runId" FROM "QueueItem" n
        WHERE n."claimedBy" IS NULL AND (n."queueName", n."workspace") > (q."name", q."workspace")
        ORDER BY n."queueName", n."workspace" LIMIT 1
      )
    ),
    first AS (
      SELECT w."runId", w."rankAt", row_number() OVER (PARTITION BY w."queueName" ORDER BY ${fairOrder}) AS "place"
      FROM q
      JOIN "QueueItem" w ON w."runId" = (
        SELECT i."runId" FROM "QueueItem" i
        WHERE i."queueName" = q."name" AND i."workspace" = q."workspace" AND i."claimedBy" IS NULL
          AND i."availableAt" <= ${at} AND ${matchesLabels('sqlite', labels)}
        ORDER BY i."rankAt", i."runId" LIMIT 1
      )
      WHERE w."isUnlimited" OR (
        NOT EXISTS (SELECT 1 FROM "QueuePause" p WHERE p."name" = q."name")
        AND (SELECT count(*) FROM "QueueItem" h WHERE h."queueName" = q."name" AND ${isClaimed('h')})
          < COALESCE((SELECT l."maxConcurrency" FROM "Queue" l WHERE l."name" = q."name"), 1)
      )
    )
    SELECT r."id" FROM first f JOIN "DagRun" r ON r."id" = f."runId"
    WHERE f."place" = 1 ORDER BY f."rankAt", f."runId" LIMIT 1`;
}
