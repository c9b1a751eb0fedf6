import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@weir/service-kit';
import { everyWorkspace } from '@weir/workflow-contract';
import type { SignInState } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { PasswordHasher } from '../../adapters/password-hasher';
import type { RandomSource } from '../../adapters/random-source';
import type { SignedToken, TokenSigner } from '../../adapters/token-signer';
import type { SecondFactorService } from '../second-factor';
import { assertStrongPassword, presentUser, withPassword, type UserStore } from '../users';
import type { User } from '../../access/user';
import {
  currentPasswordWrong,
  loginFailed,
  setupCompleted,
  setupTokenWrong,
  userDisabled,
} from '../../access/auth-errors';
import type { CheckOwnPassword } from '../../access/check-own-password';
import type { LoginThrottle } from '../../access/login-throttle';
import type { AuditedOperation, Requester } from '../../access/audited-operation';

export interface AuthServiceOptions {
  readonly users: UserStore;
  readonly hasher: PasswordHasher;
  readonly signer: TokenSigner;
  readonly throttle: LoginThrottle;
  readonly checkOwnPassword: CheckOwnPassword;
  readonly secondFactor: Pick<SecondFactorService, 'check'>;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
  /** The token that creating the first admin needs, where other machines can reach the server. */
  readonly setupToken?: Secret | undefined;
  /** The other providers with which people can sign in. */
  readonly providers: SignInState['providers'];
}

export interface SignedIn extends SignedToken {
  readonly user: User;
}

export type AuthService = ReturnType<typeof createAuthService>;

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** The code of the second factor, where the user has one. */
  readonly code?: string | undefined;
}

export interface SetupInput {
  readonly username: string;
  readonly password: string;
  readonly setupToken?: string | undefined;
}

export function createAuthService(options: AuthServiceOptions) {
  const { users, hasher, signer, throttle, checkOwnPassword, secondFactor, clock, random } = options;
  const { setupToken, providers } = options;
  // Verified for unknown names, so that they take as long as wrong passwords.
  const decoyHash = hasher.hash('no user has this password');

  const signIn = (user: User): SignedIn => ({
    ...signer.sign({ userId: user.id, username: user.username, role: user.role, tokenVersion: user.tokenVersion }),
    user,
  });

  return {
    /** Returns what a caller has to know before it can sign in. */
    async getState(): Promise<SignInState> {
      const needsSetup = (await users.count()) === 0;
      const needsSetupToken = needsSetup && setupToken !== undefined;
      return { mode: 'builtin', needsSetup, needsSetupToken, providers: [...providers] };
    },

    /** Creates a token for a user whose password was checked. */
    signIn,

    /**
     * Returns the user of these credentials. Rejects with `login_failed`, `user_disabled`, `code_required`,
     * `code_wrong` or `too_many_attempts`.
     */
    checkCredentials: ({ username, password, code }: Credentials, address: string): Promise<User> =>
      throttle.guard(username, address, async () => {
        const user = await users.findByUsername(username);
        const isRight = await hasher.verify(user?.passwordHash ?? (await decoyHash), password);
        if (user === undefined || !isRight) throw loginFailed();
        // Only callers that know the password learn that the account is disabled.
        if (user.isDisabled) throw userDisabled();
        await secondFactor.check(user.id, code);
        return user;
      }),

    /** Creates the first admin. One of several concurrent calls wins; the others get `setup_completed`. */
    async setup({ username, password, setupToken: given }: SetupInput, audit: AuditedOperation): Promise<SignedIn> {
      // Counted before the password is hashed, so that a server with users does no work for strangers.
      if ((await users.count()) > 0) throw setupCompleted();
      assertSetupToken(setupToken, given);
      await assertStrongPassword(password, username);
      const passwordHash = await hasher.hash(password);
      const admin = firstAdmin({ id: random.uuid(), username, passwordHash, now: clock.now() });
      await users.transaction(audit, async (repository, record) => {
        if ((await repository.count()) > 0) throw setupCompleted();
        await repository.insert(admin);
        await record({ resourceId: admin.id, after: presentUser(admin) });
      });
      return signIn(admin);
    },

    async changePassword(
      { principal, audit }: Requester,
      address: string,
      passwords: { readonly current: string; readonly next: string },
    ) {
      const user = await checkOwnPassword(principal, address, passwords.current);
      await assertStrongPassword(passwords.next, user.username);
      const passwordHash = await hasher.hash(passwords.next);
      await users.transaction(audit, async (repository, record) => {
        const latest = await repository.findById(user.id);
        // Another request changed the password while this one was being checked, so the check no longer holds.
        if (latest?.passwordHash !== user.passwordHash) throw currentPasswordWrong();
        await repository.update(withPassword(latest, passwordHash, clock.now()));
        await record({ resourceId: user.id });
      });
    },
  };
}

function assertSetupToken(expected: Secret | undefined, given = ''): void {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  // The comparison takes the same time for any text.
  if (expected !== undefined && !timingSafeEqual(digest(expected.reveal()), digest(given))) throw setupTokenWrong();
}

interface FirstAdmin {
  readonly id: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly now: Date;
}

function firstAdmin({ id, username, passwordHash, now }: FirstAdmin): User {
  return {
    id,
    username,
    passwordHash,
    authProvider: 'builtin',
    externalId: undefined,
    role: 'admin',
    workspaceAccess: everyWorkspace,
    isDisabled: false,
    tokenVersion: 0,
    createdAt: now,
    updatedAt: now,
  };
}
