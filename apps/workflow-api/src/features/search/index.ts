export { bindSearchRoutes } from './search-routes';
export { createSearchService } from './search-service';
