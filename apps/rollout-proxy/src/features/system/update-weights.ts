import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/errors';
import type { UpdateWeightsRequest } from '@weir/rollout-contract';
import type { PauseMode } from '@weir/rollout-engine';
import { drainEngine } from './drain-engine';
import type { EngineGate } from './engine-gate';
import type { LoadedWeights, WeightVersion } from './weight-version';

/** An engine that gets its weights from here. */
export interface LoadableWeights {
  /** The model of the configuration. */
  readonly base: string;
  /** Rejects with an `AppError`; the engine then has the weights that it had. */
  load(file: string, signal: AbortSignal): Promise<void>;
}

export type UpdateWeights = (request: UpdateWeightsRequest, signal: AbortSignal) => Promise<{ version: number }>;

export interface WeightUpdateOptions {
  readonly engine: EngineGate;
  readonly weightVersion: WeightVersion;
  /** `undefined` where the engine does not get its weights from here. */
  readonly weights: LoadableWeights | undefined;
  /** Of the copies. */
  readonly folder: string;
}

const modes = { continue: 'abort', finish: 'wait', drop: 'drop' } as const satisfies Record<string, PauseMode>;
const abortedMs = 30_000;
const finishedMs = 600_000;
const loadDeadlineMs = 150_000;

export function createWeightUpdates(options: WeightUpdateOptions): UpdateWeights {
  const { engine, weightVersion, weights } = options;
  let isUpdating = false;
  return async (request, signal) => {
    if (weights === undefined) throw notLoadable();
    if (isUpdating) throw updating();
    const { version, loaded: before } = weightVersion.stored;
    if (request.version === version && before?.source === request.file) return { version };
    if (request.version <= engine.version) throw notMonotone(engine.version);
    isUpdating = true;
    try {
      const loaded = await copyWeights(request, options.folder, weights.base);
      await replaceWeights({ request, loaded, weights, signal }, options).catch(async (error: unknown) => {
        await rm(loaded.file, { force: true });
        throw error;
      });
      if (before !== undefined) await rm(before.file, { force: true });
      return { version: engine.version };
    } finally {
      isUpdating = false;
    }
  };
}

interface Replacement {
  readonly request: UpdateWeightsRequest;
  readonly loaded: LoadedWeights;
  readonly weights: LoadableWeights;
  readonly signal: AbortSignal;
}

async function replaceWeights(
  { request, loaded, weights, signal }: Replacement,
  { engine, weightVersion }: WeightUpdateOptions,
): Promise<void> {
  const wasPaused = engine.isPaused;
  const before = weightVersion.stored.loaded;
  engine.pause(modes[request.in_flight]);
  try {
    await drainEngine(engine, request.in_flight === 'finish' ? finishedMs : abortedMs, signal);
    // Not broken off when the client disconnects: what it began is either done or undone.
    await weights.load(loaded.file, AbortSignal.timeout(loadDeadlineMs));
    try {
      await weightVersion.store({ version: request.version, loaded });
    } catch (error) {
      // After a restart the version would be that of the former weights.
      await weights.load(before?.file ?? weights.base, AbortSignal.timeout(loadDeadlineMs));
      throw error;
    }
    engine.setVersion(request.version);
  } finally {
    if (!wasPaused) engine.resume();
  }
}

/** A copy, because a trainer may write its next weights to the same file, and a restart must load these. */
async function copyWeights(
  { file: source, version }: UpdateWeightsRequest,
  folder: string,
  base: string,
): Promise<LoadedWeights> {
  const file = path.join(folder, `weights-${version}.gguf`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await copyFile(source, file);
  } catch (cause) {
    throw new AppError('invalid_request', 'The file of the weights cannot be read.', {
      reason: 'weights_unreadable',
      cause,
    });
  }
  return { file, source, base };
}

function notLoadable(): AppError {
  return new AppError('not_implemented', 'Only the embedded engine loads weights; update the others themselves.', {
    reason: 'weights_not_loadable',
  });
}

function updating(): AppError {
  return new AppError('conflict', 'Another update of the weights is in progress.', { reason: 'weights_updating' });
}

function notMonotone(version: number): AppError {
  return new AppError('invalid_request', `The version of other weights must be above the current one, ${version}.`, {
    reason: 'version_not_monotone',
  });
}
