export type { EngineGate } from './engine-gate';
export { createMetrics, type Metrics } from './metrics';
export { openWeightVersion, type WeightVersion } from './weight-version';
export { bindMetricsRoute, bindSystemRoutes } from './system-routes';
