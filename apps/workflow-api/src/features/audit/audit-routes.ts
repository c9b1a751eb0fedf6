import { workflowContract } from '@weir/workflow-contract';
import type { AuditEntry as WireEntry } from '@weir/workflow-contract/schemas';
import { workspacesWithRole } from '../../access/access-rules';
import type { Bind } from '../../access/bind';
import type { AuditEntry, AuditFilter, AuditLogRepository } from './audit-entry';
import type { AuditTrail } from './audit-trail';
import { verifyAuditLog } from './verify-audit-log';

export interface AuditRoutesDependencies {
  readonly auditLog: AuditLogRepository;
  readonly audit: Pick<AuditTrail, 'seal'>;
}

export function bindAuditRoutes(bind: Bind, { auditLog, audit }: AuditRoutesDependencies): void {
  bind(workflowContract.listAuditLogs, async ({ input: { query }, principal }) => {
    const workspaces = workspacesWithRole(principal, 'manager');
    await audit.seal();
    const { remoteNode: _, limit, offset, startTime, endTime, ...exact } = query;
    const filter: AuditFilter = {
      ...Object.fromEntries(Object.entries(exact).filter(([, value]) => value !== undefined)),
      ...(workspaces === undefined ? {} : { workspaces }),
      ...(startTime === undefined ? {} : { from: new Date(startTime) }),
      ...(endTime === undefined ? {} : { to: new Date(endTime) }),
    };
    const [entries, total] = await Promise.all([auditLog.list(filter, { offset, limit }), auditLog.count(filter)]);
    return { entries: entries.map(presentAuditEntry), total };
  });

  bind(workflowContract.exportAuditLog, async ({ input: { query } }) => {
    await audit.seal();
    const entries = await auditLog.listAfter(query.after, query.limit);
    return entries.map((entry) => `${JSON.stringify(presentAuditEntry(entry))}\n`).join('');
  });

  bind(workflowContract.verifyAuditLog, async () => {
    await audit.seal();
    return verifyAuditLog(auditLog);
  });
}

function presentAuditEntry(entry: AuditEntry): WireEntry {
  const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
  return { ...(given as Omit<WireEntry, 'timestamp'>), timestamp: entry.timestamp.toISOString() };
}

/** The entry of a line of an export. */
export function readAuditEntry(wire: WireEntry): AuditEntry {
  const { credentialId = null, ipAddress = null, resourceType = null, resourceId = null, workspace = null } = wire;
  return {
    ...wire,
    credentialId,
    ipAddress,
    resourceType,
    resourceId,
    workspace,
    correlationId: wire.correlationId ?? '',
    details: wire.details ?? '',
    timestamp: new Date(wire.timestamp),
  };
}
