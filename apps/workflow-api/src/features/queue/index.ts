export { createPrismaQueueDriver, defaultLeaseMs } from './prisma-queue-driver';
export { toRank, type NewQueueItem, type QueueClaim, type QueueDriver } from './queue-driver';
export type { QueueEntry, QueueReads } from './queue-reads';
