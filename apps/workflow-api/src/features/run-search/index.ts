export { createInMemoryRunIndex } from './in-memory-run-index';
export { createPrismaRunIndex } from './prisma-run-index';
export type { RunIndex } from './run-index';
export { createRunIndexer, type RunIndexer } from './run-indexer';
export { bindRunSearchRoutes } from './run-search-routes';
export { createRunSearch } from './run-search-service';
