import { everyWorkspace, roleIncludes, type UserRole, type WorkspaceSelection } from '@weir/workflow-contract';
import { roleMissing, workspaceNotFound } from './auth-errors';
import type { Principal } from './principal';

type Rights = Pick<Principal, 'role' | 'workspaceAccess'>;

/**
 * The role that counts for an object: the top role outside workspaces and for principals with access to all of them,
 * else the role granted for the object's workspace. `undefined` means that the object is invisible.
 */
export function effectiveRole(principal: Rights, workspace: string | undefined): UserRole | undefined {
  if (workspace === undefined || principal.workspaceAccess.all) return principal.role;
  return principal.workspaceAccess.grants.find((grant) => grant.workspace === workspace)?.role;
}

/** The rights that both have: in each workspace the weaker role. */
export function commonRights(one: Rights, other: Rights): Rights {
  const role = weaker(one.role, other.role);
  if (one.workspaceAccess.all && other.workspaceAccess.all) return { role, workspaceAccess: everyWorkspace };
  const [first, second] = one.workspaceAccess.all ? [other, one] : [one, other];
  const grants = first.workspaceAccess.grants.flatMap((grant) => {
    const known = effectiveRole(second, grant.workspace);
    return known === undefined ? [] : [{ ...grant, role: weaker(grant.role, known) }];
  });
  return { role, workspaceAccess: { all: false, grants } };
}

function weaker(one: UserRole, other: UserRole): UserRole {
  return roleIncludes(one, other) ? other : one;
}

export function canSee(principal: Principal, workspace: string | undefined): boolean {
  return effectiveRole(principal, workspace) !== undefined;
}

/** Throws `forbidden` unless the principal's role in the workspace is `needed` or stronger. */
export function requireRole(principal: Principal, workspace: string | undefined, needed: UserRole): void {
  // What a call changes is in the workspace in which it needs a role; the audit log reads it there.
  principal.neededIn?.add(workspace);
  const role = effectiveRole(principal, workspace);
  if (role === undefined || !roleIncludes(role, needed)) throw roleMissing(needed);
}

/** Does the same for objects that all workspaces share. */
export function requireRoleEverywhere(principal: Principal, needed: UserRole): void {
  if (!hasRoleEverywhere(principal, needed)) throw roleMissing(needed);
}

export function hasRoleEverywhere({ role, workspaceAccess }: Principal, needed: UserRole): boolean {
  return workspaceAccess.all && roleIncludes(role, needed);
}

/**
 * Returns the workspaces in which the principal has the role, or `undefined` where it has it on everything. Throws
 * `forbidden` for a principal that has it nowhere.
 */
export function workspacesWithRole(principal: Principal, needed: UserRole): readonly string[] | undefined {
  if (hasRoleEverywhere(principal, needed)) return undefined;
  const granted = principal.workspaceAccess.grants.filter(({ role }) => roleIncludes(role, needed));
  if (granted.length === 0) throw roleMissing(needed);
  return granted.map(({ workspace }) => workspace);
}

/** The objects that a list shows: those of the selected workspaces that the principal may see. */
export interface VisibleWorkspaces {
  /** Whether objects outside any workspace are shown. */
  readonly unassigned: boolean;
  /** The workspaces that are shown, or `all`. */
  readonly named: 'all' | readonly string[];
}

/** Throws `not_found` when the principal asks for one workspace that it may not see. */
export function visibleWorkspaces(principal: Principal, selection: WorkspaceSelection): VisibleWorkspaces {
  switch (selection.kind) {
    case 'default':
      return { unassigned: true, named: [] };
    case 'named':
      if (!canSee(principal, selection.name)) throw workspaceNotFound(selection.name);
      return { unassigned: false, named: [selection.name] };
    case 'all': {
      const { all, grants } = principal.workspaceAccess;
      return { unassigned: true, named: all ? 'all' : grants.map((grant) => grant.workspace) };
    }
  }
}

export function isVisible(visible: VisibleWorkspaces, workspace: string | undefined): boolean {
  if (workspace === undefined) return visible.unassigned;
  return visible.named === 'all' || visible.named.includes(workspace);
}
