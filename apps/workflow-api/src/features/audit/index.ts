export type { AuditLogRepository } from './audit-entry';
export { bindAuditRoutes, readAuditEntry, type AuditRoutesDependencies } from './audit-routes';
export { createAuditTrail, type AuditTrail } from './audit-trail';
export { createInMemoryAuditLogRepository } from './in-memory-audit-log-repository';
export { createPrismaAuditLogRepository } from './prisma-audit-log-repository';
export { verifyEntries } from './verify-audit-log';
