import type { AccessGuard, Secret } from '@weir/service-kit';
import type { Clock } from './adapters/clock';
import type { PasswordHasher } from './adapters/password-hasher';
import type { RandomSource } from './adapters/random-source';
import { createTokenSigner } from './adapters/token-signer';
import type { Bind } from './bind';
import { bindApiKeyRoutes, createApiKeyService, type ApiKeyRepository } from './features/api-keys';
import {
  bindAuthRoutes,
  bindClosedRoutes,
  createAccessGuard,
  createAuthenticator,
  createAuthService,
  createLoginThrottle,
  openGuard,
  type Principal,
} from './features/auth';
import { bindUserRoutes, createUserService, type UserStore } from './features/users';

export interface IdentityOptions {
  readonly users: UserStore;
  readonly apiKeys: ApiKeyRepository;
  readonly hasher: PasswordHasher;
  readonly jwtSecret: Secret;
  readonly tokenTtlSeconds: number;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Who may call: the guard of every endpoint, and the routes of users, API keys and sign-in. */
export interface Identity {
  readonly guard: AccessGuard<Principal>;
  /** Whether the first admin is still to be created. */
  needsSetup(): Promise<boolean>;
  bindRoutes(bind: Bind): void;
}

export function createIdentity(options: IdentityOptions): Identity {
  const { users, hasher, jwtSecret, clock, random } = options;
  const throttle = createLoginThrottle();
  const signer = createTokenSigner({ secret: jwtSecret, lifetimeSeconds: options.tokenTtlSeconds, clock });
  const auth = createAuthService({ users, hasher, signer, throttle, clock, random });
  const userService = createUserService({ users, hasher, clock, random });
  const apiKeyService = createApiKeyService({ apiKeys: options.apiKeys, clock, random });
  const authenticator = createAuthenticator({
    jwtSecret,
    findUser: (id) => users.findById(id),
    authenticateApiKey: (key) => apiKeyService.authenticate(key),
    checkPassword: (username, password) => auth.checkPassword(username, password),
  });
  return {
    guard: createAccessGuard(authenticator),
    needsSetup: async () => (await users.count()) === 0,
    bindRoutes: (bind) => {
      bindAuthRoutes(bind, { auth, authenticator, throttle });
      bindUserRoutes(bind, userService);
      bindApiKeyRoutes(bind, apiKeyService);
    },
  };
}

/** Sign-in switched off: whoever reaches the server is its admin, and there are neither users nor keys to manage. */
export const openIdentity: Identity = {
  guard: openGuard,
  needsSetup: () => Promise.resolve(false),
  bindRoutes: bindClosedRoutes,
};
