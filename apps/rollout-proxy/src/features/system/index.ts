export type { EngineGate } from './engine-gate';
export { type EngineWeights } from './engine-weights';
export { createMetrics, type CollectedMetrics, type Metrics } from './metrics';
export { createWeightUpdates, type UpdateWeights } from './update-weights';
export { openWeightVersion, type StoredWeights, type WeightVersion } from './weight-version';
export { settleEngine } from './settle-engine';
export { bindMetricsRoute, bindSystemRoutes } from './system-routes';
