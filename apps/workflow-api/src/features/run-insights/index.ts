export { bindRunInsightRoutes } from './run-insight-routes';
export { createRunInsightService, type RunInsightDependencies } from './run-insight-service';
