export { createRunMetrics } from './create-run-metrics';
export { bindMetricsRoutes } from './metrics-routes';
export { permitPublicMetrics } from './public-metrics';
