export { createInMemorySchedulerStateRepository } from './in-memory-scheduler-state-repository';
export { createRetryDue, type RetryDue } from './retry-due';
export { Scheduler, type SchedulerOptions } from './scheduler';
export { createPrismaSchedulerStateRepository, type SchedulerStateRepository } from './scheduler-state-repository';
