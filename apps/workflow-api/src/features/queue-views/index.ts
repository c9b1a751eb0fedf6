export { createQueueControl } from './queue-control';
export { bindQueueRoutes } from './queue-routes';
export { createQueueService, type QueueServiceDependencies } from './queue-service';
