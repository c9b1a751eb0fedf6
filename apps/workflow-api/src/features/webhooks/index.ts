export { createInMemoryWebhookRepository } from './in-memory-webhook-repository';
export { createPrismaWebhookRepository } from './prisma-webhook-repository';
export type { WebhookRepository } from './webhook';
export { bindWebhookRoutes } from './webhook-routes';
export { createWebhookService } from './webhook-service';
