export { createSecrets, type Secrets } from './create-secrets';
export { createInMemorySecretRepository } from './in-memory-secret-repository';
export { createPrismaSecretRepository, type SecretRepository } from './secret-repository';
