import { profileNameTaken, profileNotFound } from './profile-errors';
import { byKey, type ProfileRepository, type StoredProfile } from './profile';
import type { SealedRows } from '../../encryption';
import { sealedRow } from './prisma-profile-repository';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryProfileRepository(): ProfileRepository & SealedRows {
  const rows = new Map<string, StoredProfile>();
  const existing = (name: string): StoredProfile => {
    const found = rows.get(name);
    if (found === undefined) throw profileNotFound(name);
    return found;
  };
  const put = (profile: StoredProfile): StoredProfile => {
    rows.set(profile.name, profile);
    return profile;
  };
  // The functions are async, so that a refusal is a rejection as with a database.
  return {
    list: () => Promise.resolve([...rows.values()]),
    find: (name) => Promise.resolve(rows.get(name)),
    insert: async (profile) => {
      if (rows.has(profile.name)) throw profileNameTaken(profile.name);
      await Promise.resolve(put(profile));
    },
    update: async (name, changes) => Promise.resolve(put({ ...existing(name), ...changes })),
    putEntry: async (name, entry) => {
      const profile = existing(name);
      const before = profile.entries.find(({ key }) => key === entry.key);
      const others = profile.entries.filter(({ key }) => key !== entry.key);
      const entries = [...others, { ...entry, createdAt: before?.createdAt ?? entry.createdAt }].toSorted(byKey);
      return Promise.resolve(put({ ...profile, entries, updatedAt: entry.updatedAt }));
    },
    removeEntry: (name, removed, at) => {
      const profile = rows.get(name);
      if (profile?.entries.some(({ key }) => key === removed) !== true) return Promise.resolve(false);
      put({ ...profile, entries: profile.entries.filter(({ key }) => key !== removed), updatedAt: at });
      return Promise.resolve(true);
    },
    remove: async (name) => {
      existing(name);
      rows.delete(name);
      for (const row of rows.values()) if (row.defaultProfile === name) put({ ...row, defaultProfile: null });
      await Promise.resolve();
    },
    findSecret: (id, wanted) => {
      const profile = [...rows.values()].find((row) => row.id === id);
      const content = profile?.entries.find(({ key }) => key === wanted)?.content;
      return Promise.resolve(
        profile !== undefined && content !== undefined && 'sealed' in content
          ? { isDisabled: profile.isDisabled, sealed: content.sealed }
          : undefined,
      );
    },
    listSealed: () =>
      Promise.resolve(
        [...rows.values()].flatMap(({ id, entries }) =>
          entries.flatMap(({ key, content }) => ('sealed' in content ? [sealedRow(id, key, content.sealed)] : [])),
        ),
      ),
    replaceSealed: (row, sealed) => {
      for (const profile of rows.values()) {
        for (const entry of profile.entries) {
          if (!('sealed' in entry.content) || entry.content.sealed.text !== row.sealed.text) continue;
          const others = profile.entries.filter((each) => each !== entry);
          put({ ...profile, entries: [...others, { ...entry, content: { sealed } }].toSorted(byKey) });
          return Promise.resolve(true);
        }
      }
      return Promise.resolve(false);
    },
  };
}
