import type { UserRole, WorkspaceAccess } from '@weir/workflow-contract';
import type { ApiSurface } from '@weir/workflow-contract/schemas';
import type { User } from './user';

/** The caller of a request. It is created for each request from what is stored, never from what a token says. */
export type Principal = UserPrincipal | OtherPrincipal;

export interface UserPrincipal extends PrincipalRights {
  readonly kind: 'user';
  /** The user as read for this request. */
  readonly user: User;
  /** The browser session of the request; missing where the credential is a token. */
  readonly sessionId?: string;
}

interface OtherPrincipal extends PrincipalRights {
  /**
   * A `job` signs in with the OIDC token of a CI job, `local` connects over the control socket, `open-access` calls where
   * sign-in is disabled, and `server` is the server itself; `anonymous` only reaches public operations.
   */
  readonly kind: 'api-key' | 'job' | 'local' | 'open-access' | 'server' | 'anonymous';
}

interface PrincipalRights {
  /** A user's id, `apikey:<id>` for an API key, `job:<issuer> <subject>` for a CI job, and empty for the other kinds. */
  readonly id: string;
  readonly name: string;
  /** The top role; a workspace may give another one, see `effectiveRole`. */
  readonly role: UserRole;
  readonly workspaceAccess: WorkspaceAccess;
  /** The scopes that limit an API key; missing without a limit. */
  readonly scopes?: readonly string[];
  /** Where an API key is accepted; missing for everywhere. */
  readonly surfaces?: readonly ApiSurface[];
  /** The id of the user whose work the calls of an API key are. */
  readonly ownerId?: string;
  /** The workspaces in which this call has needed a role, `undefined` for none; missing where nobody asks for them. */
  readonly neededIn?: Set<string | undefined>;
}

export function toUserPrincipal(user: User): UserPrincipal {
  const { id, username, role, workspaceAccess } = user;
  return { kind: 'user', id, name: username, role, workspaceAccess, user };
}

/** The caller of one call, or of a part of one: the workspaces in which it needs a role are noted. */
export function notingNeeds(principal: Principal): Principal {
  return { ...principal, neededIn: new Set() };
}

export const anonymous: Principal = {
  kind: 'anonymous',
  id: '',
  name: '',
  role: 'viewer',
  workspaceAccess: { all: false, grants: [] },
};

/** Where sign-in is disabled, everyone who can reach the server is an admin. */
export const openAccessAdmin: Principal = {
  kind: 'open-access',
  id: '',
  name: 'everybody',
  role: 'admin',
  workspaceAccess: { all: true, grants: [] },
};

/** The owner of the control socket administers the machine. */
export function createLocalAdmin(name: string): Principal {
  return { kind: 'local', id: '', name, role: 'admin', workspaceAccess: { all: true, grants: [] } };
}

/** A part of the server, which does by itself what is set up. */
export function createServerPrincipal(name: string): Principal {
  return { kind: 'server', id: '', name, role: 'admin', workspaceAccess: { all: true, grants: [] } };
}
