export { createPrismaQueueDriver } from './prisma-queue-driver';
export { createListeners, rankOf, type NewQueueItem, type QueueClaim, type QueueDriver } from './queue-driver';
export { QueueLimits } from './queue-limits';
