import {
  everyWorkspace,
  roleIncludes,
  roles,
  UserRole,
  type WorkspaceAccess,
  workspaceAccessProblem,
} from '@weir/workflow-contract';
import { z } from 'zod';

/** The access that a provider's statement about a person gives: a role in all workspaces, or in one. */
export interface RoleGrant {
  readonly role: UserRole;
  readonly workspace: string | undefined;
}

export type GroupMappings = ReadonlyMap<string, readonly RoleGrant[]>;

export interface Access {
  readonly role: UserRole;
  readonly workspaceAccess: WorkspaceAccess;
}

/** A role in all workspaces, or in one: `operator@shop`. */
export const RoleGrant = z
  .string()
  .regex(/^[a-z]+(@[A-Za-z0-9_-]{1,64})?$/, 'must be a role such as operator, or a role in a workspace: operator@shop')
  .transform((text, context): RoleGrant => {
    const [name, workspace] = text.split('@');
    const role = UserRole.safeParse(name);
    if (!role.success) {
      context.addIssue({ code: 'custom', message: `"${name ?? ''}" is no role; roles are ${roles.join(', ')}` });
      return z.NEVER;
    }
    return { role: role.data, workspace: workspace?.toLowerCase() };
  })
  .refine(({ role, workspace }) => workspace === undefined || role !== 'admin', 'admin is no role of a workspace');

/** An object from groups to a role, or to a list of them. */
export const GroupMappings = z
  .record(z.string().min(1), z.union([RoleGrant.transform((grant) => [grant]), z.array(RoleGrant).min(1)]))
  .transform((mappings): GroupMappings => new Map(Object.entries(mappings)));

/** The same as JSON text of a setting. */
export const GroupMappingsText = z
  .string()
  .max(65_536)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON object such as {"devs": "developer"}' });
      return z.NEVER;
    }
  })
  .pipe(GroupMappings);

/**
 * Combines several grants. The strongest role in all workspaces counts; the roles in single workspaces count only where
 * no grant is for all. Returns `fallback` without any grant.
 */
export function accessOfGrants(grants: readonly RoleGrant[], fallback: UserRole | undefined): Access | undefined {
  const everywhere = strongest(grants.filter(({ workspace }) => workspace === undefined));
  if (everywhere !== undefined) return { role: everywhere, workspaceAccess: everyWorkspace };
  const names = [...new Set(grants.flatMap(({ workspace }) => workspace ?? []))].sort();
  if (names.length === 0) return fallback && { role: fallback, workspaceAccess: everyWorkspace };
  const access: Access = {
    role: 'viewer',
    workspaceAccess: {
      all: false,
      grants: names.flatMap((name) => {
        const role = strongest(grants.filter(({ workspace }) => workspace === name));
        return role === undefined ? [] : [{ workspace: name, role }];
      }),
    },
  };
  return workspaceAccessProblem(access.role, access.workspaceAccess) === undefined ? access : undefined;
}

function strongest(grants: readonly RoleGrant[]): UserRole | undefined {
  return grants.map(({ role }) => role).toSorted((one, other) => (roleIncludes(one, other) ? -1 : 1))[0];
}
