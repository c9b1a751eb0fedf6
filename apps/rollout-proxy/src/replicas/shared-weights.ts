import type { PauseMode } from '@weir/rollout-engine';
import {
  settleEngine,
  type EngineGate,
  type EngineWeights,
  type StoredWeights,
  type WeightVersion,
} from '../features/system';

/** The weights of the engine, and whether generation is paused. */
export interface SharedGeneration extends StoredWeights {
  readonly pause?: PauseMode | undefined;
}

/** Keeps them for every replica. All rejections are `unavailable`. */
export interface GenerationStore {
  read(): Promise<SharedGeneration>;
  write(next: SharedGeneration): Promise<void>;
}

/** Weights and pause of the engine that all replicas use, as they are stored. */
export interface SharedWeights {
  readonly version: WeightVersion;
  storePause(pause: PauseMode | undefined): Promise<void>;
  /** Brings the engine of this process to what is stored. */
  apply(): Promise<void>;
  /** From then on `apply` concerns this engine. */
  attach(engine: EngineGate, weights: EngineWeights | undefined): void;
}

export async function openSharedWeights(generation: GenerationStore): Promise<SharedWeights> {
  let attached: { readonly engine: EngineGate; readonly weights: EngineWeights | undefined } | undefined;
  let stored = await generation.read();
  const store = async (next: SharedGeneration): Promise<void> => {
    await generation.write(next);
    stored = next;
  };
  return {
    version: {
      get stored() {
        return stored;
      },
      store: (weights) => store({ ...weights, pause: stored.pause }),
    },
    storePause: (pause) => store({ ...stored, pause }),
    apply: async () => {
      stored = await generation.read();
      if (attached === undefined) return;
      const { engine, weights } = attached;
      const { version, served: source } = stored;
      if (source !== undefined && weights?.kind === 'served') weights.note({ source, version });
      settleEngine(engine, { version, pause: stored.pending === undefined ? stored.pause : 'wait' });
    },
    attach: (engine, weights) => (attached = { engine, weights }),
  };
}
