import { joinSql, sql, type DatabaseProvider, type DbTransaction } from '@weir/workflow-db';
import { selectorText, type WorkerLabels } from '@weir/workflow-engine/model';
import { isRemoteOwner, remoteLeaseMs, remoteOwnerPrefix } from './remote-owner';

export type Sql = ReturnType<typeof sql>;

/** The owner of a run keeps it by heartbeats, at most this time apart, or by being alive. */
export type Lease = { readonly heartbeatMs: number } | { readonly isAlive: (owner: string) => boolean };

/** An index serves this comparison, but not IS NOT NULL. */
export function isClaimed(alias: 'i' | 'h'): Sql {
  return alias === 'i' ? sql`i."claimedBy" > ''` : sql`h."claimedBy" > ''`;
}

/** Whether a worker with these labels may execute the item `i`. */
export function matchesLabels(provider: DatabaseProvider, labels: WorkerLabels): Sql {
  const text = selectorText(labels);
  if (provider === 'postgresql') return sql`${text}::jsonb @> i."selector"::jsonb`;
  return sql`(i."selector" = '{}' OR NOT EXISTS (
    SELECT 1 FROM json_each(i."selector") s
    WHERE NOT EXISTS (SELECT 1 FROM json_each(${text}) l WHERE l."key" = s."key" AND l."value" = s."value")))`;
}

/** Whether the lease of the owner of the item `i` has expired. */
export async function isExpired(db: DbTransaction, lease: Lease): Promise<Sql> {
  return 'isAlive' in lease ? ownedByDead(db, lease.isAlive) : silentFor(lease.heartbeatMs);
}

/** The clock of the database counts, because those of its clients may differ. */
function silentFor(ms: number): Sql {
  return sql`NOT EXISTS (
    SELECT 1 FROM "Runner" a WHERE a."id" = i."claimedBy"
      AND a."heartbeatAt" >= (clock_timestamp() AT TIME ZONE 'utc') - interval '1 millisecond' *
        CASE WHEN starts_with(a."id", ${remoteOwnerPrefix}) THEN ${remoteLeaseMs}::int ELSE ${ms}::int END
  )`;
}

/** Liveness is checked after the owners were read: a worker is alive before it owns anything. */
async function ownedByDead(db: DbTransaction, isAlive: (owner: string) => boolean): Promise<Sql> {
  const owners = await db.$queryRaw<{ readonly owner: string }[]>`
    SELECT DISTINCT i."claimedBy" AS "owner" FROM "QueueItem" i WHERE ${isClaimed('i')}`;
  const remote = owners.map(({ owner }) => owner).filter(isRemoteOwner);
  const beating = remote.length === 0 ? [] : await listBeating(db, remote);
  const dead = owners
    .map(({ owner }) => owner)
    .filter((owner) => (isRemoteOwner(owner) ? !beating.includes(owner) : !isAlive(owner)));
  return dead.length === 0 ? sql`FALSE` : sql`i."claimedBy" IN (${joinSql(dead)})`;
}

/** Only servers of this machine store their heartbeats. */
async function listBeating(db: DbTransaction, owners: readonly string[]): Promise<readonly string[]> {
  const since = new Date(Date.now() - remoteLeaseMs);
  const found = await db.runner.findMany({
    where: { id: { in: [...owners] }, heartbeatAt: { gte: since } },
    select: { id: true },
  });
  return found.map(({ id }) => id);
}
