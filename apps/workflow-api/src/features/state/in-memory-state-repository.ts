import { maxStateEntries, type StateStore } from '@weir/workflow-engine';
import type { StateChange, StateKeyspace, StateValue } from './state-types';
import { listKeys } from './list-keys';

export interface InMemoryStateOptions {
  /** Whether the run still has this owner. Default: always. */
  readonly isHeld?: (by: StateChange['by']) => boolean | Promise<boolean>;
}

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryStateRepository({ isHeld = () => true }: InMemoryStateOptions = {}): StateStore {
  const namespaces = new Map<string, Map<string, StateValue>>();
  const getEntries = ({ scope, namespace }: StateKeyspace): Map<string, StateValue> => {
    const name = JSON.stringify([scope, namespace]);
    const entries = namespaces.get(name) ?? new Map<string, StateValue>();
    namespaces.set(name, entries);
    return entries;
  };
  return {
    get: (keyspace, key) => Promise.resolve(getEntries(keyspace).get(key)),
    set: async ({ keyspace, key, value, expectedVersion, by }) => {
      if (!(await isHeld(by))) return { kind: 'lost' };
      const entries = getEntries(keyspace);
      const version = entries.get(key)?.version ?? 0;
      if (expectedVersion !== undefined && version !== expectedVersion) return { kind: 'conflict', version };
      if (version === 0 && entries.size >= maxStateEntries) return { kind: 'full' };
      entries.set(key, { key, value, version: version + 1, updatedAt: new Date() });
      return { kind: 'stored', version: version + 1, isNew: version === 0 };
    },
    delete: async ({ keyspace, key, expectedVersion, by }) => {
      if (!(await isHeld(by))) return { kind: 'lost' };
      const version = getEntries(keyspace).get(key)?.version ?? 0;
      if (version === 0) return { kind: 'missing' };
      if (expectedVersion !== undefined && version !== expectedVersion) return { kind: 'conflict', version };
      getEntries(keyspace).delete(key);
      return { kind: 'deleted' };
    },
    list: (keyspace, options) =>
      Promise.resolve(
        listKeys(
          [...getEntries(keyspace).values()].map(({ key, version, updatedAt }) => ({ key, version, updatedAt })),
          options,
        ),
      ),
    readValues: (keyspace, keys) => Promise.resolve(keys.flatMap((key) => getEntries(keyspace).get(key) ?? [])),
  };
}
