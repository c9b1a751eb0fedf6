import type { PauseMode } from '@weir/rollout-engine';

/** The engine as control operations need it. `GenerationControl` implements it. */
export interface EngineGate {
  /** See `PauseMode` of the engine package. */
  pause(mode: PauseMode): void;
  resume(): void;
  readonly isPaused: boolean;
  readonly running: number;
  /** Resolves when no generation runs; rejects with the signal's reason. */
  waitUntilDrained(signal: AbortSignal): Promise<void>;
  readonly version: number;
  /** Throws `invalid_request` for a version below the current one. */
  setVersion(version: number): void;
  /** Interrupts the running generations of one adapter, which continue, or drops them. */
  endThoseWith(adapterName: string, mode: 'abort' | 'drop'): void;
}
