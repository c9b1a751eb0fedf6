import { AppError } from '@weir/foundation';
import type { AdapterVersion } from '@weir/rollout-engine';
import type { AdapterStore } from './adapter-store';

/** What this process knows of the current versions, so that a call needs no look into the store. */
export interface AdapterBook extends AdapterStore {
  /** Rejects with `not_found`, reason `adapter_unknown`. */
  current(name: string): Promise<AdapterVersion>;
  /** As far as it is known here. */
  known(name: string): AdapterVersion | undefined;
  /** Notes what another process has stored. */
  note(adapter: AdapterVersion): void;
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
    current: async (name) => {
      const adapter = known.get(name) ?? (await find(name));
      if (adapter !== undefined) return adapter;
      throw new AppError('not_found', `There is no adapter ${name}.`, { reason: 'adapter_unknown' });
    },
    known: (name) => known.get(name),
    note,
    forgetAll: () => known.clear(),
  };
}
