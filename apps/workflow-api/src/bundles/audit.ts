// The commands about the audit log.
export { exportAudit } from '../commands/audit/export-audit';
export { verifyAudit } from '../commands/audit/verify-audit';
