export { bindExplainRoutes, type ExplainDependencies } from './explain-routes';
