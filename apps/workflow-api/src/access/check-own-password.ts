import type { PasswordHasher } from '../adapters/password-hasher';
import type { User } from './user';
import { currentPasswordWrong, hasNoPassword } from './auth-errors';
import type { LoginThrottle } from './login-throttle';
import type { Principal } from './principal';

export interface OwnPasswordPorts {
  readonly hasher: Pick<PasswordHasher, 'verify'>;
  readonly throttle: LoginThrottle;
}

export type PasswordUser = User & { readonly passwordHash: string };

/** Returns the caller, whose password it is. */
export type CheckOwnPassword = (principal: Principal, address: string, password: string) => Promise<PasswordUser>;

/** Rejects with `no_password`, `current_password_wrong` or `too_many_attempts`. */
export function createOwnPasswordCheck({ hasher, throttle }: OwnPasswordPorts): CheckOwnPassword {
  return async (principal, address, password) => {
    if (principal.kind !== 'user') throw hasNoPassword();
    const { user } = principal;
    const { passwordHash } = user;
    if (passwordHash === undefined) throw hasNoPassword();
    await throttle.guard(user.username, address, async () => {
      if (!(await hasher.verify(passwordHash, password))) throw currentPasswordWrong();
    });
    return { ...user, passwordHash };
  };
}
