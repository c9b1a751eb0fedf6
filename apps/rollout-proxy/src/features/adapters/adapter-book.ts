import type { AdapterVersion } from '@weir/rollout-engine';
import { adapterUnknown } from './adapter-errors';
import type { AdapterStore } from './adapter-store';

/** What this process knows of the current versions, so that a call needs no look into the store. */
export interface AdapterBook extends AdapterStore {
  /** Rejects with `not_found`, reason `adapter_unknown`. */
  current(name: string): Promise<AdapterVersion>;
  /** As far as it is known here. */
  known(name: string): AdapterVersion | undefined;
  /** Notes what another process has stored. */
  note(adapter: AdapterVersion): void;
  /** Another process has removed it. */
  forget(name: string): void;
  /** Others may have stored something meanwhile. */
  forgetAll(): void;
}

export function createAdapterBook(store: AdapterStore): AdapterBook {
  const known = new Map<string, AdapterVersion>();
  const note = (adapter: AdapterVersion): void => {
    // Answers of the store may arrive in another order than they were given.
    if ((known.get(adapter.name)?.version ?? -1) <= adapter.version) known.set(adapter.name, adapter);
  };
  const noted = async (found: Promise<AdapterVersion>): Promise<AdapterVersion> => {
    const adapter = await found;
    note(adapter);
    return adapter;
  };
  const find = async (name: string): Promise<AdapterVersion | undefined> => {
    const found = await store.find(name);
    if (found !== undefined) note(found);
    return found;
  };
  return {
    find,
    all: () => store.all(),
    add: (adapter) => noted(store.add(adapter)),
    replace: (adapter) => noted(store.replace(adapter)),
    remove: async (name) => {
      await store.remove(name);
      known.delete(name);
    },
    loads: () => store.loads(),
    addLoad: (adapter) => store.addLoad(adapter),
    removeLoad: (engineName) => store.removeLoad(engineName),
    current: async (name) => {
      const adapter = known.get(name) ?? (await find(name));
      if (adapter !== undefined) return adapter;
      throw adapterUnknown(name);
    },
    known: (name) => known.get(name),
    note,
    forget: (name) => void known.delete(name),
    forgetAll: () => known.clear(),
  };
}
