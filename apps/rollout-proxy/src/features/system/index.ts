export type { EngineGate } from './engine-gate';
export { createMetrics, type Metrics } from './metrics';
export { openWeightVersion, type WeightVersion } from './weight-version';
export { bindSystemRoutes, metricsRoute } from './system-routes';
