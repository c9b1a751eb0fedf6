export type { BackfillRepository } from './backfill';
export type { BackfillRunner } from './backfill-runner';
export { createBackfills, type Backfills } from './create-backfills';
export { createInMemoryBackfillRepository } from './in-memory-backfill-repository';
export { createPrismaBackfillRepository } from './prisma-backfill-repository';
