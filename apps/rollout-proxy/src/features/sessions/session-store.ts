import { LRUCache } from 'lru-cache';
import type { Session } from '../../session';

export interface SessionStore {
  readonly all: () => readonly Session[];
  readonly count: () => number;
  /** Sessions that use capacity: active and ending ones. */
  readonly unfinished: () => number;
  readonly find: (id: string) => Session | undefined;
  /** `undefined` once the session was exported or removed, or its key belongs to another one. */
  readonly findByKey: (keyHash: string) => Session | undefined;
  add(session: Session): void;
  delete(session: Session): void;
  /** An id of this task that no session has, or had since the start of the process. */
  nextId(taskId: string): string;
}

const maxTasks = 10_000;

export function isUnfinished(session: Session): boolean {
  const { state } = session.status();
  return state === 'active' || state === 'ending';
}

export function createSessionStore(): SessionStore {
  const byId = new Map<string, Session>();
  const byKey = new Map<string, Session>();
  // The unfinished sessions at the last count. Finished sessions never become unfinished again, so counting costs only
  // these.
  const unfinished = new Set<Session>();
  // An id is not reused while a client may still refer to the session that had it.
  const nextNumbers = new LRUCache<string, number>({ max: maxTasks });

  return {
    all: () => [...byId.values()],
    count: () => byId.size,
    unfinished: () => {
      for (const session of unfinished) if (!isUnfinished(session)) unfinished.delete(session);
      return unfinished.size;
    },
    find: (id) => byId.get(id),
    findByKey: (keyHash) => {
      const session = byKey.get(keyHash);
      const state = session?.status().state;
      return state === 'exported' || state === 'removed' ? undefined : session;
    },
    add: (session) => {
      byId.set(session.id, session);
      unfinished.add(session);
      byKey.set(session.keyHash, session);
    },
    delete: (session) => {
      byId.delete(session.id);
      unfinished.delete(session);
      if (byKey.get(session.keyHash) === session) byKey.delete(session.keyHash);
    },
    nextId: (taskId) => {
      let number = nextNumbers.get(taskId) ?? 0;
      while (byId.has(`${taskId}-${number}`)) number += 1;
      nextNumbers.set(taskId, number + 1);
      return `${taskId}-${number}`;
    },
  };
}
