export { DagCatalog } from './dag-catalog';
export { createDagFileStore, type DagFileStore } from './dag-file-store';
export { createPrismaDagFlagRepository, type DagFlagRepository } from './dag-flag-repository';
export { specInvalid } from './dag-errors';
export { bindDagRoutes } from './dag-routes';
export { createDagService, type DagService } from './dag-service';
export { createInMemoryDagFlagRepository } from './in-memory-dag-flag-repository';
export { readDagFileAnywhere } from './read-dag-file';
export { createSuspensions, type Suspensions } from './suspensions';
