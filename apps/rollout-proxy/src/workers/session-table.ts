import type { StartedRecord, StoredSession } from '../features/sessions';
import type { SessionName } from '../replicas/session-directory';

export type SessionState = 'active' | 'ended' | 'exported';

export interface KnownSession {
  readonly started: StartedRecord;
  readonly state: SessionState;
  /** The number of a worker; `undefined` while it has no owner. */
  readonly owner: number | undefined;
}

/** The sessions of all workers, without what was recorded in them. */
export interface SessionTable {
  readonly size: () => number;
  readonly all: () => Iterable<KnownSession>;
  /** The sessions that use capacity. */
  readonly active: () => number;
  /** Of several sessions with a key, the one that was started last. */
  find(name: SessionName): KnownSession | undefined;
  findActive(keyHash: string): KnownSession | undefined;
  readonly withoutOwner: () => readonly string[];
  set(session: KnownSession): void;
  delete(id: string): void;
}

export function createSessionTable(): SessionTable {
  const byId = new Map<string, KnownSession>();
  const idsByKey = new Map<string, Set<string>>();
  const active = new Set<string>();
  const free = new Set<string>();
  const ofKey = (keyHash: string): readonly KnownSession[] =>
    [...(idsByKey.get(keyHash) ?? [])].flatMap((id) => byId.get(id) ?? []);
  const note = (set: Set<string>, id: string, isIn: boolean) => (isIn ? set.add(id) : set.delete(id));
  return {
    size: () => byId.size,
    all: () => byId.values(),
    active: () => active.size,
    find: (name) => {
      if ('id' in name) return byId.get(name.id);
      return ofKey(name.keyHash)
        .filter(({ state }) => state !== 'exported')
        .sort((left, right) => left.started.number - right.started.number)
        .at(-1);
    },
    findActive: (keyHash) => ofKey(keyHash).find(({ state }) => state === 'active'),
    withoutOwner: () => [...free],
    set: (session) => {
      const { sessionId: id, keyHash } = session.started;
      byId.set(id, session);
      idsByKey.set(keyHash, (idsByKey.get(keyHash) ?? new Set()).add(id));
      note(active, id, session.state === 'active');
      note(free, id, session.owner === undefined);
    },
    delete: (id) => {
      const session = byId.get(id);
      if (session === undefined) return;
      byId.delete(id);
      active.delete(id);
      free.delete(id);
      const ids = idsByKey.get(session.started.keyHash);
      ids?.delete(id);
      if (ids?.size === 0) idsByKey.delete(session.started.keyHash);
    },
  };
}

/** The state that the records of a journal lead to. */
export function stateOf({ records }: Pick<StoredSession, 'records'>): SessionState {
  const kinds = new Set(records.map(({ kind }) => kind));
  if (kinds.has('exported')) return 'exported';
  return kinds.has('ended') ? 'ended' : 'active';
}
