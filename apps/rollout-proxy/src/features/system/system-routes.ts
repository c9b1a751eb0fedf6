import { AppError } from '@weir/errors';
import { metricsEndpoint, rolloutContract, type Model } from '@weir/rollout-contract';
import { rolloutOpenApi } from '@weir/rollout-contract/openapi';
import type { Bind } from '../../bind';
import { drainEngine } from './drain-engine';
import type { EngineGate } from './engine-gate';
import type { Metrics } from './metrics';
import type { UpdateWeights } from './update-weights';
import type { WeightVersion } from './weight-version';

export interface SystemRoutesOptions {
  readonly engine: EngineGate;
  readonly weightVersion: WeightVersion;
  readonly updateWeights: UpdateWeights;
  readonly modelName: string;
  readonly startedAtMs: number;
  /** Why model calls are rejected; `undefined` when they are accepted. */
  readonly notReady: () => string | undefined;
}

const drainTimeoutMs = 30_000;

export function bindSystemRoutes(bind: Bind, options: SystemRoutesOptions): void {
  const { engine, weightVersion, updateWeights, modelName, startedAtMs, notReady } = options;
  const document = rolloutOpenApi('/');
  bind(rolloutContract.getHealth, () => ({ status: 'ok' as const, initialized: notReady() === undefined }));
  bind(rolloutContract.getReady, () => {
    const reason = notReady();
    if (reason === undefined) return { status: 'ready' as const };
    throw new AppError('unavailable', reason, { reason: 'not_ready', details: { retryAfterSeconds: 1 } });
  });
  bind(rolloutContract.getOpenApiJson, () => ({ ...document }));
  bind(rolloutContract.pauseGeneration, async ({ signal }) => {
    engine.pause('abort');
    // The caller replaces the weights next, so nothing may sample from the old ones any more.
    await drainEngine(engine, drainTimeoutMs, signal);
    return { status: 'ok' as const, paused: engine.isPaused };
  });
  bind(rolloutContract.continueGeneration, () => {
    if (weightVersion.stored.pending !== undefined) throw weightsUnknown();
    engine.resume();
    return { status: 'ok' as const, paused: engine.isPaused };
  });
  bind(rolloutContract.setVersion, async ({ input }) => {
    engine.setVersion(input.body.version);
    // Also ends a failed update: the caller says which weights the engine has.
    await weightVersion.store({ version: engine.version, loaded: weightVersion.stored.loaded });
    return { version: engine.version };
  });
  bind(rolloutContract.updateWeights, ({ input, signal }) => updateWeights(input.body, signal));
  bind(rolloutContract.getVersion, () => ({ version: engine.version }));
  const created = Math.floor(startedAtMs / 1000);
  bindModelRoutes(bind, { id: modelName, object: 'model', created, owned_by: 'weir' });
}

function weightsUnknown(): AppError {
  return new AppError(
    'conflict',
    'An update of the weights failed; repeat it, or set the version that the engine has.',
    {
      reason: 'weights_unknown',
    },
  );
}

function bindModelRoutes(bind: Bind, model: Model): void {
  const { listModels, getModel } = rolloutContract;
  const list = () => ({ object: 'list' as const, data: [model] });
  bind(listModels, list);
  bind({ ...listModels, path: '/v1/models' }, list);
  const get = ({ input }: { readonly input: { readonly params: { readonly modelId: string } } }) => {
    if (input.params.modelId === model.id) return model;
    throw new AppError('not_found', 'There is no such model.', { reason: 'model_not_found' });
  };
  bind(getModel, get);
  bind({ ...getModel, path: '/v1/models/{modelId}' }, get);
}

export function bindMetricsRoute(bind: Bind, { registry }: Metrics): void {
  bind(metricsEndpoint, () => registry.metrics());
}
