export type { EventLogRepository } from './event-log-entry';
export { bindEventLogRoutes } from './event-log-routes';
export { createEventRecorder, type EventRecorder } from './event-recorder';
export { createInMemoryEventLogRepository } from './in-memory-event-log-repository';
export { createPrismaEventLogRepository } from './prisma-event-log-repository';
