export { createQueueControl } from './queue-control';
export { bindDeadLetterRoutes, bindQueueRoutes } from './queue-routes';
export { createQueueService, type QueueServiceDependencies } from './queue-service';
export { createDeadLetterService } from './dead-letter-service';
