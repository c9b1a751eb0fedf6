export { bindApiKeyRoutes } from './api-key-routes';
export { createPrismaApiKeyRepository, type ApiKeyRepository } from './api-key-repository';
export { createApiKeyService, type ApiKeyService } from './api-key-service';
export { createInMemoryApiKeyRepository } from './in-memory-api-key-repository';
