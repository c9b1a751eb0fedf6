import type { AccessGuard, Secret } from '@weir/service-kit';
import type { Bind } from '../../bind';
import type { PasswordHasher } from '../../adapters/password-hasher';
import { createTokenSigner } from '../../adapters/token-signer';
import type { UserStore } from '../users';
import { bindBrowserSessionRoutes, createBrowserSessionService, type BrowserSessionPorts } from '../browser-sessions';
import { createAccessGuard, openGuard, type AccessGuardOptions } from './access-guard';
import { bindAuthRoutes, bindClosedRoutes } from './auth-routes';
import { createAuthService } from './auth-service';
import { createLoginThrottle } from './login-throttle';
import type { Principal } from './principal';

export interface AuthPorts
  extends Pick<AccessGuardOptions, 'authenticateApiKey' | 'authenticateJob' | 'jwtSecret'>, BrowserSessionPorts {
  readonly users: UserStore;
  readonly hasher: PasswordHasher;
  readonly jwtSecret: Secret;
  /** Needed for the first admin; without one anyone who reaches the server can be it. */
  readonly setupToken?: Secret | undefined;
}

/** Who may call: the guard of every endpoint, and the routes for signing in. */
export interface Auth {
  readonly guard: AccessGuard<Principal>;
  /** Whether the first admin is still to be created. */
  needsSetup(): Promise<boolean>;
  readonly setupToken?: Secret | undefined;
  bindRoutes(bind: Bind): void;
}

export function createAuth(ports: AuthPorts): Auth {
  const { users, hasher, jwtSecret, tokenTtlSeconds, clock, random, setupToken } = ports;
  const throttle = createLoginThrottle();
  const signer = createTokenSigner({ secret: jwtSecret, lifetimeSeconds: tokenTtlSeconds, clock });
  const service = createAuthService({ users, hasher, signer, throttle, clock, random, setupToken });
  const sessions = createBrowserSessionService(ports);
  return {
    guard: createAccessGuard({
      jwtSecret,
      findSession: (token) => sessions.find(token),
      findUser: (id) => users.findById(id),
      authenticateApiKey: ports.authenticateApiKey,
      authenticateJob: ports.authenticateJob,
      checkPassword: service.checkPassword,
    }),
    needsSetup: async () => (await users.count()) === 0,
    setupToken,
    bindRoutes: (bind) => {
      bindAuthRoutes(bind, service, sessions);
      bindBrowserSessionRoutes(bind, sessions);
    },
  };
}

/** Sign-in disabled: everyone who can reach the server is an admin, and there are neither users nor keys to manage. */
export const openAuth: Auth = {
  guard: openGuard,
  needsSetup: () => Promise.resolve(false),
  bindRoutes: bindClosedRoutes,
};
