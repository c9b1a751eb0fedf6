import { AppError } from '@weir/foundation';
import type { UpdateWeightsRequest } from '@weir/rollout-contract';
import type { PauseMode } from '@weir/rollout-engine';
import type { Fleet } from '../fleet';
import { drainEngine } from './drain-engine';
import type { EngineGate } from './engine-gate';
import { prepareReplacement, type Replacement, type ReplaceOptions } from './engine-weights';
import type { StoredWeights } from './weight-version';

export type UpdateWeights = (request: UpdateWeightsRequest, signal: AbortSignal) => Promise<{ version: number }>;

export interface WeightUpdateOptions extends ReplaceOptions {
  readonly fleet: Fleet;
  readonly engine: EngineGate;
}

const modes = { continue: 'abort', finish: 'wait', drop: 'drop' } as const satisfies Record<string, PauseMode>;
const abortedMs = 30_000;
const finishedMs = 600_000;

/** Pauses generation at once where the service ended within an update: the weights of the engine are unknown then. */
export function createWeightUpdates(options: WeightUpdateOptions): UpdateWeights {
  const { engine, weightVersion } = options;
  if (weightVersion.stored.pending !== undefined) engine.pause('wait');
  let isUpdating = false;
  return async (request, signal) => {
    if (isUpdating) throw updating();
    isUpdating = true;
    try {
      await options.fleet.refresh();
      if (isDone(request, weightVersion.stored)) return { version: request.version };
      if (request.version <= engine.version) throw notMonotone(engine.version);
      const replacement = await prepareReplacement(request, options);
      await replaceUnderPause(request, replacement, options, signal).catch(async (error: unknown) => {
        await replacement.discard();
        throw error;
      });
      return { version: engine.version };
    } finally {
      isUpdating = false;
    }
  };
}

function isDone({ version, file }: UpdateWeightsRequest, stored: StoredWeights): boolean {
  if (stored.pending !== undefined || version !== stored.version) return false;
  return file === (stored.loaded?.source ?? stored.served);
}

async function replaceUnderPause(
  { version, in_flight }: UpdateWeightsRequest,
  replacement: Replacement,
  { engine, weightVersion, fleet }: WeightUpdateOptions,
  signal: AbortSignal,
): Promise<void> {
  // A pause that a failed update left behind ends with this one.
  const wasPaused = engine.isPaused && weightVersion.stored.pending === undefined;
  engine.pause(modes[in_flight]);
  try {
    const drained = drainEngine(engine, in_flight === 'finish' ? finishedMs : abortedMs, signal);
    await Promise.all([drained, fleet.settle(modes[in_flight])]);
    await replacement.run();
    engine.setVersion(version);
  } finally {
    if (!wasPaused && weightVersion.stored.pending === undefined) engine.resume();
    await fleet.settle(engine.isPaused ? 'wait' : undefined);
  }
}

function updating(): AppError {
  return new AppError('conflict', 'Another update of the weights is in progress.', { reason: 'weights_updating' });
}

function notMonotone(version: number): AppError {
  return new AppError('invalid_request', `The version of other weights must be above the current one, ${version}.`, {
    reason: 'version_not_monotone',
  });
}
