export { createPrismaQueueDriver } from './prisma-queue-driver';
export { createListeners, toRank, type NewQueueItem, type QueueClaim, type QueueDriver } from './queue-driver';
