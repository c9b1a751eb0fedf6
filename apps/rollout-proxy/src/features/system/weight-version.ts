import { openDurableMap, type DurableMapOptions } from '../../journal/durable-map';

/** The current version of the weights. Stored, because tokens after a restart would be labelled with an older one. */
export interface WeightVersion {
  readonly stored: number;
  store(version: number): Promise<void>;
}

const key = 'weights';

export async function openWeightVersion(options: Omit<DurableMapOptions, 'maxEntries'>): Promise<WeightVersion> {
  const map = await openDurableMap<number>({ ...options, maxEntries: 1 });
  return {
    get stored() {
      return map.get(key) ?? 0;
    },
    store: (version) => map.set(key, version, Number.MAX_SAFE_INTEGER),
  };
}
