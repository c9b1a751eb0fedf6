export { createApiKeys, type ApiKeys } from './create-api-keys';
export { createPrismaApiKeyRepository, type ApiKeyRepository } from './api-key-repository';
export { createInMemoryApiKeyRepository } from './in-memory-api-key-repository';
