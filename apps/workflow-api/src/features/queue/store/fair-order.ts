import { joinSql, sql, type DbTransaction } from '@weir/workflow-db';
import { isClaimed, type Sql } from './queue-conditions';
import type { QueueEntry, QueueWorkspaces } from './queue-reads';

// The workspaces of a queue take turns: the workspace with the fewest slots of the queue comes first, and of several the one that
// got its last slot the longest ago. Within a workspace the rank decides.

const needsSlot = sql`CASE WHEN w."isUnlimited" THEN 0 ELSE 1 END`;
const slotsOfWorkspace = sql`(SELECT count(*) FROM "QueueItem" h
  WHERE h."queueName" = w."queueName" AND ${isClaimed('h')} AND h."workspace" = w."workspace")`;
const lastServed = sql`COALESCE((SELECT s."served" FROM "QueueShare" s
  WHERE s."queueName" = w."queueName" AND s."workspace" = w."workspace"), 0)`;

/** Orders the items `w`, each of which is the first of its workspace. */
export const fairOrder = sql`${needsSlot}, ${slotsOfWorkspace}, ${lastServed}, w."rankAt", w."runId"`;

/** Records that the workspace of the run got a slot of its queue, in the transaction that claims the run. */
export async function storeServed(transaction: DbTransaction, runId: string): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO "QueueShare" ("queueName", "workspace", "served")
    SELECT i."queueName", i."workspace",
      COALESCE((SELECT max(s."served") FROM "QueueShare" s WHERE s."queueName" = i."queueName"), 0) + 1
    FROM "QueueItem" i WHERE i."runId" = ${runId}
    ON CONFLICT ("queueName", "workspace") DO UPDATE SET "served" = excluded."served"`;
}

/** A position in the order of a queue; claims of other runs do not change it. */
export type FairPosition = Pick<QueueEntry, 'queueName' | 'workspace' | 'isUnlimited' | 'rankAt' | 'runId'>;

/** Selects the keys of the runs that wait in the queue, in the order of their claims if none of them ends meanwhile. */
export function waitingAfter(
  queueName: string,
  { after, workspaces, limit }: { after?: FairPosition | undefined; workspaces: QueueWorkspaces; limit: number },
): Sql {
  const isAfter = after === undefined ? sql`1 = 1` : sql`(${positionOfItem}) > (${positionOf(after)})`;
  return sql`SELECT o."runId" FROM (${inOrder(queueName, visible(workspaces))}) o WHERE ${isAfter}
    ORDER BY ${positionOfItem} LIMIT ${limit}`;
}

/** Counts the waiting runs of a queue that are claimed before this position. */
export function countBefore(position: FairPosition): Sql {
  return sql`SELECT count(*) AS "count" FROM (${inOrder(position.queueName, sql`1 = 1`)}) o
    WHERE (${positionOfItem}) < (${positionOf(position)})`;
}

/** Whether the item `w` belongs to one of the workspaces. */
export function visible({ unassigned, named }: QueueWorkspaces): Sql {
  const conditions = [
    ...(unassigned ? [sql`w."workspace" = ''`] : []),
    ...(named === 'all' ? [sql`w."workspace" <> ''`] : []),
    ...(named !== 'all' && named.length > 0 ? [sql`w."workspace" IN (${joinSql([...named])})`] : []),
  ];
  return conditions.length === 0 ? sql`1 = 0` : sql`(${joinSql(conditions, ' OR ')})`;
}

// Within a round, a workspace that has fewer slots now got its slot of the previous round later.
const positionOfItem = sql`o."needsSlot", o."round", o."given", o."served", o."firstRankAt", o."firstId"`;

/** The round of a run is the number of slots that its workspace needs for it. */
function inOrder(queueName: string, condition: Sql): Sql {
  const ofWorkspace = sql`OVER (PARTITION BY w."isUnlimited", w."workspace" ORDER BY w."rankAt", w."runId")`;
  return sql`
    SELECT w."runId", ${needsSlot} AS "needsSlot", row_number() ${ofWorkspace} + COALESCE(c."claimed", 0) AS "round",
      -COALESCE(c."claimed", 0) AS "given", COALESCE(s."served", 0) AS "served",
      first_value(w."rankAt") ${ofWorkspace} AS "firstRankAt", first_value(w."runId") ${ofWorkspace} AS "firstId"
    FROM "QueueItem" w
    LEFT JOIN (
      SELECT h."workspace", count(*) AS "claimed" FROM "QueueItem" h
      WHERE h."queueName" = ${queueName} AND ${isClaimed('h')} GROUP BY h."workspace"
    ) c ON c."workspace" = w."workspace"
    LEFT JOIN "QueueShare" s ON s."queueName" = w."queueName" AND s."workspace" = w."workspace"
    WHERE w."queueName" = ${queueName} AND w."claimedBy" IS NULL AND ${condition}`;
}

/** Also finds a run that has been claimed since: the slot that it holds counts for it. */
function positionOf({ queueName, workspace, isUnlimited, rankAt, runId }: FairPosition): Sql {
  const waiting = sql`"QueueItem" b WHERE b."queueName" = ${queueName} AND b."claimedBy" IS NULL
    AND b."workspace" = ${workspace} AND b."isUnlimited" = ${isUnlimited}`;
  const first = sql`FROM ${waiting} ORDER BY b."rankAt", b."runId" LIMIT 1`;
  const given = sql`(SELECT count(*) FROM "QueueItem" h
    WHERE h."queueName" = ${queueName} AND ${isClaimed('h')} AND h."workspace" = ${workspace})`;
  return sql`${isUnlimited ? 0 : 1},
    (SELECT count(*) FROM ${waiting} AND (b."rankAt" < ${rankAt} OR (b."rankAt" = ${rankAt} AND b."runId" <= ${runId})))
      + ${given},
    -${given},
    COALESCE((SELECT s."served" FROM "QueueShare" s
      WHERE s."queueName" = ${queueName} AND s."workspace" = ${workspace}), 0),
    COALESCE((SELECT b."rankAt" ${first}), ${rankAt}), COALESCE((SELECT b."runId" ${first}), ${runId})`;
}
