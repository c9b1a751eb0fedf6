export { createPrismaQueueDriver, defaultLeaseMs } from './prisma-queue-driver';
export { beside } from './prisma-queue-controls';
export { toRank, type NewQueueItem, type QueueClaim, type QueueDriver } from './queue-driver';
export type { QueueEntry, QueuePause, QueueReads } from './queue-reads';
