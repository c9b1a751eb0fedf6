import { noSql, sql } from '@weir/workflow-db';
import { isClaimed, matchesLabels, type Sql } from './queue-conditions';
import type { ClaimRequest } from './queue-driver';
import { claimFirst, findFirst, firstWithin } from './run-claims';
import type { QueueDispatch } from './queue-dispatch';
import { deleteQueueItem, storeQueueItem } from './queue-items';

/** The queues of a SQLite file, whose transactions run one after the other. */
export function createSqliteDispatch(): QueueDispatch {
  return {
    enqueue: storeQueueItem,
    complete: deleteQueueItem,
    released: () => Promise.resolve(),
    opened: () => Promise.resolve(),
    watch: () => Promise.resolve(() => Promise.resolve()),
    // Most claims find nothing, and this query costs less than a transaction.
    isClaimable: async (db, request) => (await findFirst(db, toWaiting(request))) !== undefined,
    claim: (transaction, request) => claimFirst(transaction, toWaiting(request), request),
  };
}

function toWaiting({ within, at, labels }: ClaimRequest): Sql {
  return within === undefined ? firstWaiting(at, labels) : firstWithin(within, at, noSql);
}

/**
 * The first run of all queues that have a free slot and are not paused. The index leads from queue to queue, so that a
 * full queue is skipped at once, however long it is.
 */
function firstWaiting(at: Date, labels: ClaimRequest['labels']): Sql {
  return sql`
    WITH RECURSIVE q("name") AS (
      SELECT min("queueName") FROM "QueueItem"
      UNION ALL
      SELECT (SELECT min(n."queueName") FROM "QueueItem" n WHERE n."queueName" > q."name")
      FROM q WHERE q."name" IS NOT NULL
    )
    SELECT r."id" FROM q
    JOIN "QueueItem" w ON w."runId" = (
      SELECT i."runId" FROM "QueueItem" i
      WHERE i."queueName" = q."name" AND i."claimedBy" IS NULL AND i."availableAt" <= ${at}
        AND ${matchesLabels('sqlite', labels)}
      ORDER BY i."rankAt" LIMIT 1
    )
    JOIN "DagRun" r ON r."id" = w."runId"
    WHERE w."isUnlimited" OR (
      NOT EXISTS (SELECT 1 FROM "QueuePause" p WHERE p."name" = q."name")
      AND (SELECT count(*) FROM "QueueItem" h WHERE h."queueName" = q."name" AND ${isClaimed('h')})
        < COALESCE((SELECT l."maxConcurrency" FROM "Queue" l WHERE l."name" = q."name"), 1)
    )
    ORDER BY w."rankAt", w."runId" LIMIT 1`;
}
