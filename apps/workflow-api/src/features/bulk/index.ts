export { bindBulkDagRoutes, bindBulkRunRoutes } from './bulk-routes';
export type { BulkDagsDependencies } from './bulk-dags';
