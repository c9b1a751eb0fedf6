import { openDurableMap, type DurableMapOptions } from '../../journal/durable-map';

/** The version of the weights that was set last; it survives the process, or tokens would get an older one's label. */
export interface WeightVersion {
  readonly stored: number;
  /** Resolves once it is stored. */
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
