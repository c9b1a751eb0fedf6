import type { ApiKey } from './api-key';
import { apiKeyNameTaken, apiKeyNotFound } from './api-key-errors';
import { byName, type ApiKeyRepository } from './api-key-repository';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryApiKeyRepository(): ApiKeyRepository {
  const rows = new Map<string, ApiKey>();
  const all = (): readonly ApiKey[] => [...rows.values()];
  const existing = (id: string): ApiKey => {
    const apiKey = rows.get(id);
    if (apiKey === undefined) throw apiKeyNotFound(id);
    return apiKey;
  };
  const assertNameIsFree = ({ id, name }: Pick<ApiKey, 'id' | 'name'>): void => {
    if (all().some((other) => other.name === name && other.id !== id)) throw apiKeyNameTaken(name);
  };
  // The functions are async, so that a refusal is a rejection as with a database.
  return {
    list: () => Promise.resolve(all().toSorted(byName)),
    findById: (id) => Promise.resolve(rows.get(id)),
    findByDigest: (keyDigest) => Promise.resolve(all().find((apiKey) => apiKey.keyDigest === keyDigest)),
    insert: async (apiKey) => {
      assertNameIsFree(apiKey);
      await Promise.resolve(rows.set(apiKey.id, apiKey));
    },
    update: async (id, change) => {
      const present = existing(id);
      const changed = { ...present, ...change(present) };
      assertNameIsFree(changed);
      rows.set(id, changed);
      return Promise.resolve(changed);
    },
    noteUse: (id, at) => {
      const apiKey = rows.get(id);
      if (apiKey !== undefined) rows.set(id, { ...apiKey, lastUsedAt: at });
      return Promise.resolve();
    },
    remove: async (id) => {
      existing(id);
      await Promise.resolve(rows.delete(id));
    },
  };
}
