export { createNotifications, type Notifications } from './create-notifications';
export { createOutboxSignal, type OutboxSignal } from './outbox/outbox-signal';
export { createStepSubscriptions, type StepSubscriptions } from './outbox/step-subscriptions';
export { createInMemoryNotificationRepository } from './in-memory-notification-repository';
export { createPrismaNotificationRepository } from './prisma-notification-repository';
export type { NotificationRepository } from './subscription';
