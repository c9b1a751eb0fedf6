import type { Access, Endpoint } from '@weir/http-contract';
import { objectRoles, roleIncludes, roles, workflowContract, type UserRole } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { effectiveRole } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { hasScope } from '../../access/scopes';
import type { WorkspaceRepository } from './workspace';

export interface PermissionDependencies {
  readonly workspaces: Pick<WorkspaceRepository, 'list'>;
  /** Lists the names of the nodes that the caller may have requests passed to. */
  readonly listNodes: (principal: Principal) => Promise<string[]>;
}

export function bindPermissionRoutes(bind: Bind, { workspaces, listNodes }: PermissionDependencies): void {
  const endpoints: readonly Endpoint[] = Object.values(workflowContract);
  const requirements = endpoints.flatMap(toRequirement);
  bind(workflowContract.getPermissions, async ({ principal }) => {
    const granted = principal.workspaceAccess.grants.map(({ workspace }) => workspace);
    const stored = (await workspaces.list()).map(({ name }) => name);
    const names = [...new Set([...stored, ...granted])].sort();
    return {
      role: principal.role,
      operations: endpoints
        .filter((endpoint) => permits(endpoint.access, principal.role) && hasScope(principal, endpoint))
        .map(({ operationId }) => operationId),
      requirements,
      workspaces: [undefined, ...names].flatMap((name) => toPermissions(principal, name)),
      remoteNodes: await listNodes(principal),
    };
  });
}

function toRequirement({ operationId, access }: Endpoint) {
  const weakest = typeof access === 'string' ? undefined : roles.findLast((role) => access.includes(role));
  const role = objectRoles[operationId] ?? weakest;
  return role === undefined ? [] : [{ operationId, role }];
}

function permits(access: Access, role: UserRole): boolean {
  return typeof access === 'string' || access.includes(role);
}

/** Returns no permissions for a workspace that is not visible. */
function toPermissions(principal: Principal, workspace: string | undefined) {
  const role = effectiveRole(principal, workspace);
  if (role === undefined) return [];
  return [
    {
      ...(workspace === undefined ? {} : { workspace }),
      role,
      mayRun: roleIncludes(role, 'operator'),
      mayWrite: roleIncludes(role, 'developer'),
    },
  ];
}
