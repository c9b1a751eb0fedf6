export type { AuditLogRepository } from './audit-entry';
export { auditDatabase } from './audit-database';
export { bindAuditRoutes, readAuditEntry, type AuditRoutesDependencies } from './audit-routes';
export { describeChange } from './audit-scope';
export { createAuditTrail, type AuditTrail } from './audit-trail';
export { createInMemoryAuditLogRepository } from './in-memory-audit-log-repository';
export { createPrismaAuditLogRepository } from './prisma-audit-log-repository';
export { verifyEntries } from './verify-audit-log';
