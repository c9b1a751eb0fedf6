import type { UserRole, WorkspaceAccess } from '@weir/workflow-contract';

/** Who calls. Created for each request from what is stored, never from what a token says. */
export interface Principal {
  /**
   * `local` over the control socket, `open-access` where sign-in is disabled; `anonymous` only reaches public
   * operations.
   */
  readonly kind: 'user' | 'api-key' | 'local' | 'open-access' | 'anonymous';
  /** A user's id, `apikey:<id>` for an API key, and empty for the other kinds. */
  readonly id: string;
  readonly name: string;
  /** The top role; inside a workspace another may count, see `effectiveRole`. */
  readonly role: UserRole;
  readonly workspaceAccess: WorkspaceAccess;
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

/** Whoever may open the control socket administers the machine. */
export function createLocalAdmin(name: string): Principal {
  return { kind: 'local', id: '', name, role: 'admin', workspaceAccess: { all: true, grants: [] } };
}
