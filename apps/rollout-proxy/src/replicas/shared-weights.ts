import type { PauseMode } from '@weir/rollout-engine';
import {
  settleEngine,
  type EngineGate,
  type EngineWeights,
  type StoredWeights,
  type WeightVersion,
} from '../features/system';
import { databaseUnavailable, type Database } from './database';

interface SharedGeneration extends StoredWeights {
  readonly pause?: PauseMode | undefined;
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

export async function openSharedWeights(database: Database): Promise<SharedWeights> {
  let attached: { readonly engine: EngineGate; readonly weights: EngineWeights | undefined } | undefined;
  let stored = await read(database);
  const store = async (next: SharedGeneration): Promise<void> => {
    await database
      .query(`UPDATE weir_rollout.setting SET value = $1 WHERE name = 'weights'`, [JSON.stringify(next)])
      .catch((error: unknown) => {
        throw databaseUnavailable(error);
      });
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
      stored = await read(database);
      if (attached === undefined) return;
      const { engine, weights } = attached;
      const { version, served: source } = stored;
      if (source !== undefined && weights?.kind === 'served') weights.note({ source, version });
      settleEngine(engine, { version, pause: stored.pending === undefined ? stored.pause : 'wait' });
    },
    attach: (engine, weights) => (attached = { engine, weights }),
  };
}

async function read(database: Database): Promise<SharedGeneration> {
  const { rows } = await database
    .query(`SELECT value FROM weir_rollout.setting WHERE name = 'weights'`)
    .catch((error: unknown) => {
      throw databaseUnavailable(error);
    });
  // Only this file writes it.
  return rows[0]?.value as SharedGeneration;
}
