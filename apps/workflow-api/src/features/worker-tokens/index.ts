export { createWorkerTokens, type WorkerTokens } from './create-worker-tokens';
export { createInMemoryWorkerTokenRepository } from './in-memory-worker-token-repository';
export { createPrismaWorkerTokenRepository, type WorkerTokenRepository } from './worker-token-repository';
