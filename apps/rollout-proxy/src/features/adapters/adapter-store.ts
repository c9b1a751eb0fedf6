import { engineNameOf, type AdapterVersion } from '@weir/rollout-engine';
import type { DurableMap } from '../../journal/durable-map';

/** The current version of each adapter, by name; the same for all processes of an installation. */
export interface AdapterStore {
  find(name: string): Promise<AdapterVersion | undefined>;
  all(): Promise<readonly AdapterVersion[]>;
  /** Stores it unless there is one of its name. Resolves with the one that is stored then. */
  add(adapter: AdapterVersion): Promise<AdapterVersion>;
  /** Stores it in place of a lower version, or of none. Resolves with the one that is stored then. */
  replace(adapter: AdapterVersion): Promise<AdapterVersion>;
  remove(name: string): Promise<void>;
  /** The versions that the engine was asked to load and not yet to unload, so that those of a killed process are found. */
  loads(): Promise<readonly AdapterVersion[]>;
  addLoad(adapter: AdapterVersion): Promise<void>;
  removeLoad(engineName: string): Promise<void>;
}

/** Beyond this number, the adapter, or the load, that was stored first is forgotten. */
export const maxStoredAdapters = 10_000;

export interface AdapterMaps {
  /** By name. */
  readonly current: DurableMap<AdapterVersion>;
  /** By the name at the engine. */
  readonly loads: DurableMap<AdapterVersion>;
}

export function toAdapterStore({ current: map, loads }: AdapterMaps): AdapterStore {
  const put = async (adapter: AdapterVersion): Promise<AdapterVersion> => {
    await map.set(adapter.name, adapter, Number.MAX_SAFE_INTEGER);
    return adapter;
  };
  return {
    find: (name) => Promise.resolve(map.get(name)),
    all: () => Promise.resolve(valuesOf(map)),
    add: async (adapter) => map.get(adapter.name) ?? put(adapter),
    replace: async (adapter) => {
      const known = map.get(adapter.name);
      return known !== undefined && known.version >= adapter.version ? known : put(adapter);
    },
    remove: (name) => map.delete(name),
    loads: () => Promise.resolve(valuesOf(loads)),
    addLoad: (adapter) => loads.set(engineNameOf(adapter), adapter, Number.MAX_SAFE_INTEGER),
    removeLoad: (engineName) => loads.delete(engineName),
  };
}

function valuesOf(map: DurableMap<AdapterVersion>): readonly AdapterVersion[] {
  return map.keys().flatMap((key) => map.get(key) ?? []);
}
