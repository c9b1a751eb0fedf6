export { bindArtifactRoutes } from './artifact-routes';
