import type { UserRole } from '@weir/workflow-contract';
import type { Weir } from './weir-server';

export const adminName = 'ada';
export const password = 'correct horse battery';

/** Creates the first admin; returns the token. */
export async function setUpAdmin(weir: Weir): Promise<string> {
  const { token } = await weir.createClient().setup({ body: { username: adminName, password } });
  return token;
}

export interface SignedIn {
  readonly id: string;
  readonly token: string;
}

/** Creates a user of a role and signs in. */
export async function aUser(
  weir: Weir,
  adminToken: string,
  role: UserRole,
  username = `user-${role}`,
): Promise<SignedIn> {
  const { user } = await weir.createClient(adminToken).createUser({ body: { username, password, role } });
  const { token } = await weir.createClient().login({ body: { username, password } });
  return { id: user.id, token };
}
