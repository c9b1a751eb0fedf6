import {
  syncSealContext,
  type GitSyncStore,
  type StoredItem,
  type StoredOutcome,
  type StoredSync,
} from './git-sync-store';

const nothing: StoredSync = {
  settings: undefined,
  sealed: undefined,
  remoteCommit: undefined,
  lastSyncAt: undefined,
  lastError: undefined,
};

export function createInMemoryGitSyncStore(): GitSyncStore {
  let stored = nothing;
  let held: { readonly owner: string; readonly until: Date } | undefined;
  const items = new Map<string, StoredItem>();
  return {
    read: () => Promise.resolve(stored),
    writeSettings: (settings, sealed, { forgets }) => {
      stored = { ...(forgets ? nothing : stored), settings, sealed };
      if (forgets) items.clear();
      return Promise.resolve();
    },
    listItems: () => Promise.resolve([...items.values()]),
    save: ({ put, remove }, outcome) => {
      for (const itemId of remove) items.delete(itemId);
      for (const item of put) items.set(item.itemId, item);
      stored = { ...stored, ...withoutNull(outcome) };
      return Promise.resolve();
    },
    lock: (owner, now, until) => {
      if (held !== undefined && held.until >= now) return Promise.resolve(false);
      held = { owner, until };
      return Promise.resolve(true);
    },
    renewLock: (owner, until) => {
      const isHeld = held?.owner === owner;
      if (isHeld) held = { owner, until };
      return Promise.resolve(isHeld);
    },
    unlock: (owner) => {
      if (held?.owner === owner) held = undefined;
      return Promise.resolve();
    },
    listSealed: () =>
      Promise.resolve(
        stored.sealed === undefined ? [] : [{ id: 'sync', context: syncSealContext, sealed: stored.sealed }],
      ),
    replaceSealed: (row, sealed) => {
      const isSame = stored.sealed?.text === row.sealed.text;
      if (isSame) stored = { ...stored, sealed };
      return Promise.resolve(isSame);
    },
  };
}

function withoutNull(outcome: StoredOutcome): Partial<StoredSync> {
  return Object.fromEntries(Object.entries(outcome).map(([name, value]) => [name, value ?? undefined]));
}
