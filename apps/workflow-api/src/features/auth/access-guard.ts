import type { AccessGuard } from '@weir/service-kit';
import { UserRole } from '@weir/workflow-contract';
import { credentialInvalid, roleMissing } from './auth-errors';
import type { Authenticator } from './authenticator';
import { anonymous, openAccessAdmin, type Principal } from './principal';

/** The guard of every endpoint. */
export function createAccessGuard(authenticator: Pick<Authenticator, 'authenticateBearer'>): AccessGuard<Principal> {
  return async (req, access) => {
    if (access === 'public') return anonymous;
    const principal = await authenticator.authenticateBearer(req);
    if (principal === undefined) throw credentialInvalid();
    if (access !== 'authenticated' && !access.includes(principal.role))
      throw roleMissing(UserRole.parse(access.at(-1)));
    return principal;
  };
}

/** The guard of a server whose sign-in is switched off. */
export const openGuard: AccessGuard<Principal> = (_req, access) =>
  Promise.resolve(access === 'public' ? anonymous : openAccessAdmin);
