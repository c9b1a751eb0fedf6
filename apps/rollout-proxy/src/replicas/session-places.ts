import { yieldToEventLoop } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import { LRUCache } from 'lru-cache';
import { sessionMoved, type SessionService, type SessionStore } from '../features/sessions';
import { databaseUnavailable, type Database } from './database';
import type { Lease, Replica } from './lease';
import type { PostgresSessionJournals } from './postgres-session-journals';

/** How a request names its session. */
export type SessionName = { readonly keyHash: string } | { readonly id: string };

/** The place of a session: in this process, nowhere, or at another replica. */
export type Place = 'here' | 'unknown' | Replica;

export interface SessionPlaces {
  /**
   * Finds a session, and takes it over if it has no owner. A fresh look asks the database in any case. Rejects with
   * `unavailable`.
   */
  find(name: SessionName, look: { readonly isFresh: boolean; readonly isForwarded: boolean }): Promise<Place>;
  /** Takes over every session without an owner. */
  adoptOrphans(): Promise<void>;
}

export interface SessionPlacesOptions {
  readonly database: Database;
  readonly lease: Lease;
  readonly journals: PostgresSessionJournals;
  readonly store: SessionStore;
  readonly sessions: SessionService;
  readonly logger: Logger;
}

const maxKnown = 10_000;
const orphansAtOnce = 20;

export function createSessionPlaces(options: SessionPlacesOptions): SessionPlaces {
  const { database, lease, store, logger } = options;
  const known = new LRUCache<string, Replica>({ max: maxKnown });
  const takeOver = createTakeOver(options);
  let adopting: Promise<void> | undefined;

  const { sessions } = options;
  const locate = async (name: SessionName, isForwarded: boolean): Promise<Place> => {
    const row = await findRow(database, name);
    if (row === undefined || sessions.isRemoving(row.id)) return 'unknown';
    if (row.owner !== null && row.owner !== lease.number) return { number: row.owner, address: row.address };
    if (row.owner === null && lease.isDraining && !isForwarded) return another(lease);
    return (await takeOver(row.id)) ? 'here' : locate(name, isForwarded);
  };

  const adopt = async (): Promise<void> => {
    const failed = new Set<string>();
    while (!lease.isDraining) {
      const { rows } = await database.query(orphans, [[...failed], orphansAtOnce]);
      if (rows.length === 0) return;
      for (const id of rows.map((row) => String(row.id))) {
        await takeOver(id).catch((error: unknown) => {
          failed.add(id);
          logger.error({ sessionId: id, error }, 'a session could not be taken over; its journal is retained');
        });
        await yieldToEventLoop();
      }
    }
  };

  return {
    find: async (name, { isFresh, isForwarded }) => {
      lease.assertHeld();
      if (isHere(name)) return 'here';
      const text = 'id' in name ? `id ${name.id}` : `key ${name.keyHash}`;
      const before = known.get(text);
      if (before !== undefined && !isFresh && !isForwarded && lease.isKnown(before.number)) return before;
      const place = await locate(name, isForwarded);
      if (typeof place === 'object') known.set(text, place);
      else known.delete(text);
      return place;
    },
    adoptOrphans: () => {
      adopting ??= adopt().finally(() => (adopting = undefined));
      return adopting;
    },
  };

  function isHere(name: SessionName): boolean {
    const session = 'id' in name ? store.find(name.id) : store.findByKey(name.keyHash);
    if (session === undefined) return false;
    if (!session.isOwned()) {
      // Started or taken over just when the lease was lost.
      sessions.leave(session);
      return false;
    }
    // The key of a session that has ended may have passed to another one, at another replica.
    return 'id' in name || session.status().state === 'active';
  }
}

/** Resolves with whether the session is in this process then. */
function createTakeOver({ lease, journals, store, sessions }: SessionPlacesOptions): (id: string) => Promise<boolean> {
  const running = new Map<string, Promise<boolean>>();
  const execute = async (id: string): Promise<boolean> => {
    if (store.find(id)?.isOwned() === true) return true;
    const stored = await journals.takeOver(id).catch((error: unknown) => {
      throw databaseUnavailable(error);
    });
    if (stored === undefined) return false;
    // The lease may have ended meanwhile.
    if (!stored.journal.isOwned()) throw sessionMoved();
    // The session was started here just now.
    if (store.find(id)?.isOwned() !== true) sessions.adopt(stored);
    return true;
  };
  return (id) => {
    lease.assertHeld();
    const first = running.get(id);
    if (first !== undefined) return first;
    const taken = execute(id).finally(() => running.delete(id));
    running.set(id, taken);
    return taken;
  };
}

interface SessionRow {
  readonly id: string;
  readonly owner: number | null;
  readonly address: string;
}

async function findRow(database: Database, name: SessionName): Promise<SessionRow | undefined> {
  const [statement, value] = 'id' in name ? [byId, name.id] : [byKey, name.keyHash];
  const { rows } = await database.query(statement, [value]).catch((error: unknown) => {
    throw databaseUnavailable(error);
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const { id, owner, address } = row;
  return { id: String(id), owner: owner === null ? null : Number(owner), address: String(address) };
}

const place = `
SELECT session.id, session.owner, replica.address
FROM weir_rollout.session LEFT JOIN weir_rollout.replica ON replica.number = session.owner`;
const byId = `${place} WHERE session.id = $1`;
/** The session that was started last has the key. */
const byKey = `${place} WHERE key_hash = $1 AND state <> 'exported' ORDER BY session.number DESC LIMIT 1`;
/** The order is random, so that replicas that look at the same time do not take the same ones. */
const orphans = `
SELECT id FROM weir_rollout.session WHERE owner IS NULL AND id <> ALL ($1::text[]) ORDER BY random() LIMIT $2`;

/** Finds a replica that stays, for one that stops. */
async function another(lease: Lease): Promise<Replica> {
  const [first] = await lease.others().catch((error: unknown) => {
    throw databaseUnavailable(error);
  });
  if (first === undefined) throw sessionMoved();
  return first;
}
