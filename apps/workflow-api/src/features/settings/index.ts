export { bindBaseConfigRoutes } from './base-config-routes';
export { createBaseConfigService } from './base-config-service';
