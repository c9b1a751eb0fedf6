export { createInMemorySchedulerStateRepository } from './in-memory-scheduler-state-repository';
export { Scheduler } from './scheduler';
export { skipReasons, type OccurrencesSkipped, type SkipReason } from './occurrence-counts';
export {
  createPrismaSchedulerStateRepository,
  schedulerKey,
  type SchedulerStateRepository,
} from './scheduler-state-repository';
export { profileAt } from './due-actions';
export { listOccurrenceRunIds, occurrenceRunId } from './occurrence-run-id';
export { readSource, type DagSourceDependencies } from './dag-source';
