export type { EngineGate } from './engine-gate';
export { createMetrics, type Metrics } from './metrics';
export { createWeightUpdates, type LoadableWeights, type UpdateWeights } from './update-weights';
export { openWeightVersion, type LoadedWeights, type WeightVersion } from './weight-version';
export { bindMetricsRoute, bindSystemRoutes } from './system-routes';
