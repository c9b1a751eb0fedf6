import { AppError } from '@weir/foundation';
import type { Endpoint } from '@weir/http-contract';
import { areas, objectRoles, roles, workflowContract, type Area } from '@weir/workflow-contract';
import type { Principal } from './principal';

// One call does the work of several operations, the strongest of which deletes.
const bulk: ReadonlySet<string> = new Set(['changeDAGRuns', 'changeDAGs']);

// Whoever may see them changes nothing by reading them.
const logs: ReadonlySet<string> = new Set(['listAuditLogs', 'listEventLogs']);

/**
 * Returns the area that an operation belongs to. Changes of users, keys and worker tokens have none: with them,
 * callers could give themselves what the scopes leave out.
 */
export function areaOf({ operationId, method, audit, access, tag }: Endpoint): Area | undefined {
  const needed = objectRoles[operationId];
  if (method !== 'GET' && ['auth', 'users', 'api-keys', 'worker-tokens'].includes(tag)) return undefined;
  if (logs.has(operationId) || audit === 'no-change') return 'read';
  if (needed === undefined && method === 'GET') return 'read';
  if (bulk.has(operationId)) return 'write';
  const weakest = typeof access === 'string' ? undefined : roles.findLast((role) => access.includes(role));
  switch (needed ?? weakest) {
    case 'viewer':
    case 'operator':
      return 'run';
    case 'developer':
    case undefined:
      return 'write';
    case 'manager':
    case 'admin':
      return 'manage';
  }
}

/** Whether the scopes of the credential permit the operation. */
export function hasScope({ scopes }: Principal, endpoint: Endpoint): boolean {
  if (scopes === undefined) return true;
  const area = areaOf(endpoint);
  return area !== undefined && (scopes.includes(area) || scopes.includes(endpoint.operationId));
}

/** Throws `forbidden`, reason `scope_missing`, unless the scopes of the credential permit the operation. */
export function requireScope(principal: Principal, endpoint: Endpoint): void {
  if (hasScope(principal, endpoint)) return;
  throw new AppError('forbidden', `The credential has no scope for the operation ${endpoint.operationId}.`, {
    reason: 'scope_missing',
  });
}

function isScope(operationId: string): boolean {
  const endpoint = Object.values<Endpoint>(workflowContract).find((each) => each.operationId === operationId);
  return endpoint !== undefined && areaOf(endpoint) !== undefined;
}

/** Throws `invalid_request`, reason `scope_unknown`, for a scope that is neither an area nor such an operation. */
export function assertScopesKnown(scopes: readonly string[]): void {
  const unknown = scopes.find((scope) => !areas.some((area) => area === scope) && !isScope(scope));
  if (unknown === undefined) return;
  throw new AppError(
    'invalid_request',
    `"${unknown}" is no scope. Scopes are ${areas.join(', ')}, and ids of operations that change neither users nor credentials.`,
    { reason: 'scope_unknown' },
  );
}
