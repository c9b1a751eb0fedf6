import { openDurableMap, type DurableMapOptions } from '../../journal/durable-map';

/** Weights that were loaded while the service ran. */
export interface LoadedWeights {
  /** A private copy that no other code changes. */
  readonly file: string;
  /** The file that the trainer named. */
  readonly source: string;
  /** The model of the configuration, which these weights replace. */
  readonly base: string;
}

export interface StoredWeights {
  readonly version: number;
  readonly loaded?: LoadedWeights | undefined;
  /** The file or folder from which the engine itself read them. */
  readonly served?: string | undefined;
  /** The version of an update that began and has not succeeded: the engine may have its weights, others or a mixture. */
  readonly pending?: number | undefined;
}

/** The current weights. Stored, because tokens after a restart would be labelled with another version than theirs. */
export interface WeightVersion {
  readonly stored: StoredWeights;
  store(weights: StoredWeights): Promise<void>;
}

const key = 'weights';

export async function openWeightVersion(options: Omit<DurableMapOptions, 'maxEntries'>): Promise<WeightVersion> {
  // A number is the version alone, as it was stored before weights could be loaded.
  const map = await openDurableMap<StoredWeights | number>({ ...options, maxEntries: 1 });
  return {
    get stored() {
      const weights = map.get(key) ?? 0;
      return typeof weights === 'number' ? { version: weights } : weights;
    },
    store: (weights) => map.set(key, weights, Number.MAX_SAFE_INTEGER),
  };
}
