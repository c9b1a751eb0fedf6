import { LRUCache } from 'lru-cache';
import type { Session } from './session';

/** The sessions that are held, by id and by key. */
export interface SessionStore {
  readonly all: () => readonly Session[];
  readonly count: () => number;
  /** Those that take a place: active and ending ones. */
  readonly unfinished: () => number;
  readonly find: (id: string) => Session | undefined;
  /** `undefined` once the session was exported or removed, or its key went to another one. */
  readonly findByKey: (keyHash: string) => Session | undefined;
  add(session: Session): void;
  delete(session: Session): void;
  /** An id of this task that no session had since the start of the process, or has. */
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
  // Those that were so when they were last counted: no way leads back, and grants must not cost what is only held.
  const unfinished = new Set<Session>();
  // So that an id is not used again while somebody may still mean the session that had it.
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
