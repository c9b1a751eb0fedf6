import type { AdapterVersion } from '@weir/rollout-engine';
import type { DurableMap } from '../../journal/durable-map';

/** The current version of each adapter, by name; the same for all processes of an installation. */
export interface AdapterStore {
  find(name: string): Promise<AdapterVersion | undefined>;
  all(): Promise<readonly AdapterVersion[]>;
  /** Stores it unless there is one of its name. Resolves with the one that is stored then. */
  add(adapter: AdapterVersion): Promise<AdapterVersion>;
  /** Stores it in place of a lower version, or of none. Resolves with the one that is stored then. */
  replace(adapter: AdapterVersion): Promise<AdapterVersion>;
}

/** Beyond this number, the adapter that was stored first is forgotten. */
export const maxStoredAdapters = 10_000;

export function toAdapterStore(map: DurableMap<AdapterVersion>): AdapterStore {
  const put = async (adapter: AdapterVersion): Promise<AdapterVersion> => {
    await map.set(adapter.name, adapter, Number.MAX_SAFE_INTEGER);
    return adapter;
  };
  return {
    find: (name) => Promise.resolve(map.get(name)),
    all: () => Promise.resolve(map.keys().flatMap((name) => map.get(name) ?? [])),
    add: async (adapter) => map.get(adapter.name) ?? put(adapter),
    replace: async (adapter) => {
      const known = map.get(adapter.name);
      return known !== undefined && known.version >= adapter.version ? known : put(adapter);
    },
  };
}
