export { bindBaseConfigRoutes } from './base-config-routes';
export { createBaseConfigService, type BaseConfigDependencies } from './base-config-service';
