import { databaseUnavailable, type Database } from './database';
import type { Lease } from './lease';
import type { PostgresSessionJournals } from './postgres-session-journals';
import type { SessionDirectory } from './session-directory';

export interface PostgresSessionDirectoryOptions {
  readonly database: Database;
  readonly lease: Lease;
  readonly journals: PostgresSessionJournals;
}

export function createPostgresSessionDirectory({
  database,
  lease,
  journals,
}: PostgresSessionDirectoryOptions): SessionDirectory {
  const rowsOf = async (statement: string, values: readonly unknown[]) =>
    (await database.query(statement, values).catch(rethrow)).rows;
  return {
    find: async (name) => {
      const [row] = 'id' in name ? await rowsOf(byId, [name.id]) : await rowsOf(byKey, [name.keyHash]);
      if (row === undefined) return undefined;
      const { id, owner, address } = row;
      return {
        id: String(id),
        owner: owner === null ? undefined : { number: Number(owner), address: String(address) },
      };
    },
    orphans: async (except, limit) => (await rowsOf(orphans, [except, limit])).map(({ id }) => String(id)),
    takeOver: (id) => journals.takeOver(id).catch(rethrow),
    release: async (ids) => {
      await rowsOf('UPDATE weir_rollout.session SET owner = NULL WHERE owner = $1 AND id = ANY ($2)', [
        lease.number,
        ids,
      ]);
    },
  };
}

function rethrow(error: unknown): never {
  throw databaseUnavailable(error);
}

const place = `
SELECT session.id, session.owner, replica.address
FROM weir_rollout.session LEFT JOIN weir_rollout.replica ON replica.number = session.owner`;
const byId = `${place} WHERE session.id = $1`;
/** The session that was started last has the key. */
const byKey = `${place} WHERE key_hash = $1 AND state <> 'exported' ORDER BY session.number DESC LIMIT 1`;
const orphans = `
SELECT id FROM weir_rollout.session WHERE owner IS NULL AND id <> ALL ($1::text[]) ORDER BY random() LIMIT $2`;
