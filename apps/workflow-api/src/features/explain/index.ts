export { bindExplainRoutes } from './explain-routes';
