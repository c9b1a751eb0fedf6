import type { AccessGuard } from '@weir/service-kit';
import { UserRole } from '@weir/workflow-contract';
import { credentialInvalid, roleMissing } from './auth-errors';
import type { Authenticator } from './authenticator';
import { anonymous, createLocalAdmin, openAccessAdmin, type Principal } from './principal';

/** The guard of every endpoint. */
export function createAccessGuard(authenticator: Authenticator): AccessGuard<Principal> {
  return async (req, access) => {
    if (access === 'public') return anonymous;
    if (access === 'login') return authenticator.authenticateLogin(req);
    const principal = await authenticator.authenticateBearer(req);
    if (principal === undefined) throw credentialInvalid();
    if (access !== 'authenticated' && !access.includes(principal.role))
      throw roleMissing(UserRole.parse(access.at(-1)));
    return principal;
  };
}

/** The guard of a server whose sign-in is disabled. */
export const openGuard: AccessGuard<Principal> = createFixedGuard(openAccessAdmin);

/** The guard of the control socket: its file mode restricts it to the user who runs the server. */
export function createLocalGuard(userName: string): AccessGuard<Principal> {
  return createFixedGuard(createLocalAdmin(userName));
}

function createFixedGuard(principal: Principal): AccessGuard<Principal> {
  return (_req, access) => Promise.resolve(access === 'public' || access === 'login' ? anonymous : principal);
}
