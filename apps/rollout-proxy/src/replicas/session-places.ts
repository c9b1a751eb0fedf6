import { yieldToEventLoop } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import { LRUCache } from 'lru-cache';
import { sessionMoved, type SessionService, type SessionStore } from '../features/sessions';
import type { Lease, Replica } from './lease';
import type { SessionDirectory, SessionName } from './session-directory';

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
  readonly directory: SessionDirectory;
  readonly lease: Lease;
  readonly store: SessionStore;
  readonly sessions: SessionService;
  readonly logger: Logger;
}

const maxKnown = 10_000;
const orphansAtOnce = 20;

export function createSessionPlaces(options: SessionPlacesOptions): SessionPlaces {
  const { directory, lease, store, logger } = options;
  const known = new LRUCache<string, Replica>({ max: maxKnown });
  const takeOver = createTakeOver(options);
  let adopting: Promise<void> | undefined;

  const { sessions } = options;
  const locate = async (name: SessionName, isForwarded: boolean): Promise<Place> => {
    const row = await directory.find(name);
    if (row === undefined || sessions.isRemoving(row.id)) return 'unknown';
    if (row.owner !== undefined && row.owner.number !== lease.number) return row.owner;
    if (row.owner === undefined && lease.isDraining && !isForwarded) return another(lease);
    return (await takeOver(row.id)) ? 'here' : locate(name, isForwarded);
  };

  const adopt = async (): Promise<void> => {
    const failed = new Set<string>();
    while (!lease.isDraining) {
      const ids = await directory.orphans([...failed], orphansAtOnce);
      if (ids.length === 0) return;
      for (const id of ids) {
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
function createTakeOver({ lease, directory, store, sessions }: SessionPlacesOptions): (id: string) => Promise<boolean> {
  const running = new Map<string, Promise<boolean>>();
  const execute = async (id: string): Promise<boolean> => {
    if (store.find(id)?.isOwned() === true) return true;
    const stored = await directory.takeOver(id);
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

/** Finds a replica that stays, for one that stops. */
async function another(lease: Lease): Promise<Replica> {
  const [first] = await lease.others();
  if (first === undefined) throw sessionMoved();
  return first;
}
