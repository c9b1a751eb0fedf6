import { z } from 'zod';
import { workspaceName } from './parameters';
import { roles, UserRole } from './roles';

export const WorkspaceGrant = z
  .object({ workspace: workspaceName.describe('Name of the workspace.'), role: UserRole })
  .meta({ id: 'WorkspaceGrant', description: 'A role within one workspace.' });

export const WorkspaceAccess = z
  .object({
    all: z.boolean().describe('The role applies to every workspace; grants must be empty.'),
    grants: z.array(WorkspaceGrant).max(1000).describe('Roles by workspace; only without "all".'),
  })
  .meta({
    id: 'WorkspaceAccess',
    description: 'The workspaces in which a principal may act. If omitted in a request, all workspaces.',
  });
export type WorkspaceAccess = z.output<typeof WorkspaceAccess>;

export const everyWorkspace: WorkspaceAccess = { all: true, grants: [] };

/** Describes the problem of a combination of top role and access; `undefined` when there is none. */
export function workspaceAccessProblem(role: UserRole, access: WorkspaceAccess): string | undefined {
  if (access.all) return access.grants.length > 0 ? 'With all=true there must be no grants.' : undefined;
  if (role !== 'viewer') return 'With all=false the role must be viewer; the grants carry the others.';
  if (access.grants.length === 0) return 'With all=false at least one grant is needed.';
  if (access.grants.some((grant) => grant.role === roles[0]))
    return 'The role admin cannot be granted for a workspace.';
  const names = new Set(access.grants.map((grant) => grant.workspace));
  return names.size < access.grants.length ? 'A workspace is named twice.' : undefined;
}
