import { AppError } from '@weir/foundation';
import { metricsEndpoint, rolloutContract, type Model } from '@weir/rollout-contract';
import { rolloutOpenApi } from '@weir/rollout-contract/openapi';
import type { Bind } from '../../bind';
import type { Adapters } from '../adapters';
import type { Fleet } from '../fleet';
import { drainEngine } from './drain-engine';
import type { EngineGate } from './engine-gate';
import type { Metrics } from './metrics';
import { settleEngine } from './settle-engine';
import type { EngineWeights } from './engine-weights';
import type { UpdateWeights } from './update-weights';
import type { WeightVersion } from './weight-version';

export interface SystemRoutesOptions {
  readonly engine: EngineGate;
  readonly weightVersion: WeightVersion;
  readonly updateWeights: UpdateWeights;
  readonly adapters: Adapters;
  readonly weights?: EngineWeights | undefined;
  readonly fleet: Fleet;
  readonly modelName: string;
  readonly startedAtMs: number;
  /** Why model calls are rejected; `undefined` when they are accepted. */
  readonly notReady: () => string | undefined;
}

const drainTimeoutMs = 30_000;
/** The replica that asks has its own, shorter ones. */
const settleTimeoutMs = 610_000;

export function bindSystemRoutes(bind: Bind, options: SystemRoutesOptions): void {
  const { engine, updateWeights, adapters, modelName, startedAtMs, notReady } = options;
  const document = rolloutOpenApi('/');
  bind(rolloutContract.getHealth, () => ({ status: 'ok' as const, initialized: notReady() === undefined }));
  bind(rolloutContract.getReady, () => {
    const reason = notReady();
    if (reason === undefined) return { status: 'ready' as const };
    throw new AppError('unavailable', reason, { reason: 'not_ready', details: { retryAfterSeconds: 1 } });
  });
  bind(rolloutContract.getOpenApiJson, () => ({ ...document }));
  bindGenerationRoutes(bind, options);
  bind(rolloutContract.updateWeights, ({ input: { body }, signal }) => {
    const { adapter, file } = body;
    // The schema wants the file of an adapter.
    if (adapter !== undefined && file !== undefined) return adapters.update({ ...body, adapter, file });
    return updateWeights(body, signal);
  });
  bind(rolloutContract.getVersion, () => ({ version: engine.version }));
  const created = Math.floor(startedAtMs / 1000);
  bindModelRoutes(bind, { id: modelName, object: 'model', created, owned_by: 'weir' });
}

function bindGenerationRoutes(bind: Bind, { engine, weightVersion, weights, fleet }: SystemRoutesOptions): void {
  const state = () => ({ status: 'ok' as const, paused: engine.isPaused });
  bind(rolloutContract.pauseGeneration, async ({ signal }) => {
    await fleet.refresh();
    engine.pause('abort');
    // The caller replaces the weights next, so nothing may sample from the old ones any more.
    await Promise.all([drainEngine(engine, drainTimeoutMs, signal), fleet.settle('abort')]);
    return state();
  });
  bind(rolloutContract.continueGeneration, async () => {
    await fleet.refresh();
    if (weightVersion.stored.pending !== undefined) throw weightsUnknown();
    engine.resume();
    await fleet.settle(undefined);
    return state();
  });
  bind(rolloutContract.setVersion, async ({ input }) => {
    await fleet.refresh();
    engine.setVersion(input.body.version);
    // This also ends a failed update: the caller says which weights the engine has.
    await weightVersion.store({ version: engine.version, loaded: weightVersion.stored.loaded });
    await fleet.settle(engine.isPaused ? 'abort' : undefined);
    return { version: engine.version };
  });
  bind(rolloutContract.settleReplica, async ({ input: { body }, principal, signal }) => {
    if (!principal.isFromReplica) throw notFromReplica();
    const { version, weights: source } = body;
    if (source !== null && weights?.kind === 'served') weights.note({ source, version });
    settleEngine(engine, { version, pause: body.pause ?? undefined });
    if (engine.isPaused) await drainEngine(engine, settleTimeoutMs, signal);
    return state();
  });
}

function notFromReplica(): AppError {
  return new AppError('forbidden', 'Only another replica of the proxy may call this.', {
    reason: 'replica_mark_invalid',
  });
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

export function bindMetricsRoute(bind: Bind, metrics: Metrics): void {
  bind(metricsEndpoint, () => metrics.text());
}
