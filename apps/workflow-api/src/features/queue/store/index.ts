export { createPrismaQueueDriver, defaultLeaseMs, type PrismaQueueOptions } from './prisma-queue-driver';
export { runsChannel } from './postgres-claims';
export { beside } from './prisma-queue-controls';
export {
  listAttempts,
  nextAttempts,
  recordAttempt,
  toTakeOver,
  type LostRun,
  type RecordedAttempt,
} from './run-attempts';
export { defaultMaxFailures, toRank, type NewQueueItem, type QueueClaim, type QueueDriver } from './queue-driver';
export type { DeadLetter } from './dead-letter';
export type { QueueEntry, QueuePause, QueueReads } from './queue-reads';
