export { createAgent, type Agent } from './create-agent';
export { createInMemorySessionRepository } from './in-memory-session-repository';
export { createPrismaSessionRepository } from './prisma-session-repository';
export type { SessionRepository } from './session-repository';
