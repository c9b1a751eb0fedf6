export { createNotifications, type Notifications } from './create-notifications';
export { createOutboxSignal, type OutboxSignal } from './outbox-signal';
export { createStepSubscriptions, type StepSubscriptions } from './step-subscriptions';
export { createInMemoryNotificationRepository } from './in-memory-notification-repository';
export { createPrismaNotificationRepository } from './prisma-notification-repository';
export type { NotificationRepository } from './subscription';
