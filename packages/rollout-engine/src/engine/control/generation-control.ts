import { AppError } from '@weir/foundation';
import { createPauseGate } from './pause-gate';
import { runSegments, type SegmentDeps } from './run-segments';
import { createRunningSegments } from './running-segments';
import type { AdapterVersion, EngineInfo, InferenceEngine } from '../port/inference-engine';

export interface GenerationControlOptions {
  /** Version of the weights at the start. Default 0. */
  readonly initialVersion?: number;
  /** How long a segment waits for `resume` before its generation fails. Default 10 min. */
  readonly maxPauseMs?: number;
  /** Segments of one generation; then it ends as `aborted`. Default 20. */
  readonly maxSegments?: number;
  /** The delay between two segments if the engine aborted the last one without a token. Default 100 ms. */
  readonly retryDelayMs?: number;
  /** The current version of an adapter. Default: sessions have none. */
  readonly currentAdapter?: (name: string) => Promise<AdapterVersion>;
}

/**
 * `wait`: running segments continue until they end or the engine aborts them. `abort`: they are aborted at once, and their
 * generations continue after `resume`. `drop`: their generations fail at once (`generation_dropped`).
 */
export type PauseMode = 'wait' | 'abort' | 'drop';

/** An engine whose generations outlive an update of its weights. */
export interface GenerationControl extends InferenceEngine {
  /** New segments wait from now on. Idempotent; the stricter mode applies. */
  pause(mode: PauseMode): void;
  resume(): void;
  readonly isPaused: boolean;
  /** Segments that run at the engine. */
  readonly running: number;
  /** Resolves when no segment runs; rejects with the signal's reason. */
  waitUntilDrained(signal: AbortSignal): Promise<void>;
  readonly version: number;
  /** Applies to new segments. Throws `version_not_monotone` for a lower version. */
  setVersion(version: number): void;
  /** `abort` and `drop` as in `PauseMode`, for the running segments of one adapter, without a pause. */
  endThoseWith(adapterName: string, mode: Exclude<PauseMode, 'wait'>): void;
}

/**
 * Adds pausing, weight versions and continuation to an engine. An aborted generation continues with its tokens appended
 * to the prompt; the caller sees one stream with one end. Each segment has the version that was current when it
 * started, unless the engine reports its own; setting a version while a segment runs does not relabel it.
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
    currentAdapter: options.currentAdapter ?? noAdapters,
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
      if (mode === 'drop') running.dropAll();
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
    endThoseWith: (name, mode) => running.endThoseWith(name, mode === 'abort' ? 'interrupt' : 'drop'),
  };
}

function noAdapters(): Promise<never> {
  return Promise.reject(
    new AppError('not_implemented', 'The engine has no adapters.', { reason: 'adapters_not_supported' }),
  );
}

function notMonotone(): AppError {
  return new AppError('invalid_request', 'A weight version must not be lower than the current one.', {
    reason: 'version_not_monotone',
  });
}

function checkedVersion(version: number): number {
  if (Number.isInteger(version) && version >= 0 && version <= 0x7fffffff) return version;
  throw new AppError('invalid_request', 'A weight version is an integer from 0.', { reason: 'version_invalid' });
}
