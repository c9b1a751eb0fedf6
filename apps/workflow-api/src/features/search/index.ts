export { collectMatches } from './collect-matches';
export { findMatches } from './find-matches';
export { readSearchCursor, searchHash, writeSearchCursor } from './search-cursor';
export { bindSearchRoutes } from './search-routes';
export { createSearchService } from './search-service';
