import { AppError } from '@weir/errors';
import { createPauseGate } from './control/pause-gate';
import { runSegments, type SegmentDeps } from './control/run-segments';
import { createRunningSegments } from './control/running-segments';
import type { EngineInfo, InferenceEngine } from './inference-engine';

export interface GenerationControlOptions {
  /** Of the weights that the engine has at the start. Default 0. */
  readonly initialVersion?: number;
  /** How long a segment waits for `resume` before its generation fails. Default 10 min. */
  readonly maxPauseMs?: number;
  /** Segments of one generation; then it ends as `aborted`. Default 20. */
  readonly maxSegments?: number;
  /** Between two segments when the engine broke the last one off without a token. Default 100 ms. */
  readonly retryDelayMs?: number;
}

/** `wait`: what runs goes on until the engine breaks it off or it ends. `abort`: it is broken off at once. */
export type PauseMode = 'wait' | 'abort';

/** An engine whose generations outlive an update of its weights. */
export interface GenerationControl extends InferenceEngine {
  /** New segments wait from now on. Pausing twice is pausing once; the stricter mode counts. */
  pause(mode: PauseMode): void;
  resume(): void;
  readonly isPaused: boolean;
  /** Segments at the engine now. */
  readonly running: number;
  /** Ends when no segment runs any more; rejects with the signal's reason. */
  waitUntilDrained(signal: AbortSignal): Promise<void>;
  readonly version: number;
  /** Of segments that begin from now on. A whole number, never less than before: `version_not_monotone` otherwise. */
  setVersion(version: number): void;
}

/**
 * Wraps an engine with pause, versions and continuation. A generation that is broken off goes on with the tokens so
 * far behind its prompt; the caller sees one stream with one end. Each segment has the version that was in force when
 * it began, unless the engine says its own, which wins; a version that is set while a segment runs relabels nothing.
 */
export function createGenerationControl(
  engine: InferenceEngine,
  options: GenerationControlOptions = {},
): GenerationControl {
  const gate = createPauseGate(options.maxPauseMs ?? 600_000);
  const running = createRunningSegments();
  const limits = { maxSegments: options.maxSegments ?? 20, retryDelayMs: options.retryDelayMs ?? 100 };
  let version = checkedVersion(options.initialVersion ?? 0);
  let engineVersions: EngineInfo['versions'] | 'unknown' = 'unknown';
  const deps: SegmentDeps = {
    engine,
    gate,
    limits,
    running,
    version: () => version,
    engineVersions: () => engineVersions,
  };
  return {
    name: engine.name,
    generate: (request, signal) => runSegments(deps, request, signal),
    probe: async (signal) => {
      const info = await engine.probe(signal);
      engineVersions = info.versions;
      return info;
    },
    stop: () => engine.stop(),
    pause: (mode) => {
      gate.close();
      if (mode === 'abort') running.interruptAll();
    },
    resume: () => gate.open(),
    get isPaused() {
      return gate.isClosed();
    },
    get running() {
      return running.count;
    },
    waitUntilDrained: (signal) => running.waitUntilDrained(signal),
    get version() {
      return version;
    },
    setVersion: (next) => {
      if (checkedVersion(next) < version) throw notMonotone();
      version = next;
    },
  };
}

function notMonotone(): AppError {
  return new AppError('invalid_request', 'A weight version cannot be less than the one before.', {
    reason: 'version_not_monotone',
  });
}

function checkedVersion(version: number): number {
  if (Number.isInteger(version) && version >= 0 && version <= 0x7fffffff) return version;
  throw new AppError('invalid_request', 'A weight version is a whole number from 0.', { reason: 'version_invalid' });
}
