import { hash, randomUUID } from 'node:crypto';
import { capacityExhausted, capacityNotGranted, type CapacityLedger } from '../features/capacity';
import { databaseUnavailable, type Database, type Query } from './database';
import type { Lease } from './lease';
import { lockAdmission } from './tables';

export interface PostgresCapacityOptions {
  readonly database: Database;
  readonly lease: Lease;
  readonly limit: number;
  readonly grantMs: number;
}

/** Grants and unfinished sessions of all replicas, counted under one lock. */
export function createPostgresCapacity({ database, lease, limit, grantMs }: PostgresCapacityOptions): CapacityLedger {
  const run = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    database.transaction(work).catch((error: unknown) => {
      throw isRefusal(error) ? error : databaseUnavailable(error);
    });
  return {
    unused: () => run(countUnused),
    grant: (name) =>
      run(async (query) => {
        await query(lockAdmission, []);
        await query('DELETE FROM weir_rollout.capacity_grant WHERE expires_at <= now() AND claimed_by IS NULL', []);
        const { rows } = await query(used, []);
        // A repeated request finds the grant of the first one.
        const id = name === undefined ? randomUUID() : hash('sha256', name);
        const isKnown = (await query('SELECT FROM weir_rollout.capacity_grant WHERE id = $1', [id])).rowCount > 0;
        if (!isKnown && Number(rows[0]?.used) >= limit) throw capacityExhausted(limit);
        await query(
          `INSERT INTO weir_rollout.capacity_grant (id, expires_at)
           VALUES ($1, now() + $2 * interval '1 millisecond') ON CONFLICT DO NOTHING`,
          [id, grantMs],
        );
        return countUnused(query);
      }),
    claim: () =>
      run(async (query) => {
        const { rows } = await query(claiming, [lease.number]);
        if (rows[0] === undefined) throw capacityNotGranted();
        const id = String(rows[0].id);
        return {
          id,
          // The insertion of the session deletes the grant.
          consume: () => Promise.resolve(),
          release: async () => {
            await database
              .query('UPDATE weir_rollout.capacity_grant SET claimed_by = NULL WHERE id = $1', [id])
              // The end of the lease releases it as well.
              .catch(() => undefined);
          },
        };
      }),
    // It was deleted with the insertion of the session.
    discard: () => Promise.resolve(),
  };
}

const used = `
SELECT (SELECT count(*) FROM weir_rollout.capacity_grant)
  + (SELECT count(*) FROM weir_rollout.session WHERE state = 'active') AS used`;

const claiming = `
UPDATE weir_rollout.capacity_grant SET claimed_by = $1 WHERE id = (
  SELECT id FROM weir_rollout.capacity_grant WHERE expires_at > now() AND claimed_by IS NULL
  ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED
) RETURNING id`;

async function countUnused(query: Query): Promise<number> {
  const { rows } = await query(
    'SELECT count(*) AS unused FROM weir_rollout.capacity_grant WHERE expires_at > now() AND claimed_by IS NULL',
    [],
  );
  return Number(rows[0]?.unused);
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'reason' in error;
}
