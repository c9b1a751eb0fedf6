export { createStoredWorkers, type StoredWorkersDependencies } from './stored-workers';
export { createStorageCheck } from './storage-check';
export { createStoreCheck } from './store-check';
export { createDatabaseCheck, type DatabaseCheck } from './database-check';
export { bindSystemRoutes, type SystemRoutesDependencies } from './system-routes';
export { createResourceHistory, type ResourceHistory } from './resource-history';
