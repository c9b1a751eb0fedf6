/** What the control operations need of the engine. `GenerationControl` of the engine folder is one. */
export interface EngineGate {
  pause(mode: 'wait' | 'abort'): void;
  resume(): void;
  readonly isPaused: boolean;
  readonly running: number;
  /** Ends when no generation runs any more; rejects with the signal's reason. */
  waitUntilDrained(signal: AbortSignal): Promise<void>;
  readonly version: number;
  /** Fails with `invalid_request` or `conflict` for a version below the present one. */
  setVersion(version: number): void;
}
