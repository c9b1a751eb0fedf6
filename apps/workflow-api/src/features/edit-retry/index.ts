export { bindEditRetryRoutes } from './edit-retry-routes';
export { createEditRetrier, type EditRetrierDependencies } from './edit-retrier';
