import type { PauseMode } from '@weir/rollout-engine';
import type { EngineGate } from './engine-gate';

export interface Generation {
  readonly version: number;
  /** `undefined` where generation goes on. */
  readonly pause: PauseMode | undefined;
}

/** Brings the engine to what all replicas have. A version never goes back. */
export function settleEngine(engine: EngineGate, { version, pause }: Generation): void {
  if (version > engine.version) engine.setVersion(version);
  if (pause !== undefined) engine.pause(pause);
  else if (engine.isPaused) engine.resume();
}
