export { createInMemoryStateRepository } from './in-memory-state-repository';
export { createPrismaStateRepository } from './state-repository';
