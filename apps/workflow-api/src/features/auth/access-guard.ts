import { toError } from '@weir/foundation';
import type { AccessGuard, Secret } from '@weir/service-kit';
import { UserRole } from '@weir/workflow-contract';
import { LoginRequest } from '@weir/workflow-contract/schemas';
import type { Request, RequestHandler, Response } from 'express';
import { Passport } from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';
import type { User } from '../../access/user';
import { credentialInvalid, roleMissing } from '../../access/auth-errors';
import type { Credentials } from './auth-service';
import { jwtStrategy, maxJobTokenLength, otherBearerStrategy } from './bearer-strategies';
import { anonymous, createLocalAdmin, openAccessAdmin, toUserPrincipal, type Principal } from '../../access/principal';
import { requireScope } from '../../access/scopes';
import { requireSurface } from '../../access/surface';
import { sessionStrategy, type SessionStrategyPorts } from './session-strategy';

export interface AccessGuardOptions extends SessionStrategyPorts {
  readonly jwtSecret: Secret;
  readonly authenticateApiKey: (key: string) => Promise<Principal | undefined>;
  readonly authenticateJob: (token: string) => Promise<Principal | undefined>;
  /**
   * Rejects unless the credentials are those of an enabled user, and with `too_many_attempts` after too many failures
   * from the address.
   */
  readonly checkCredentials: (credentials: Credentials, address: string) => Promise<User>;
}

type Verified = (error: unknown, principal?: Principal | false | null) => void;

/** Creates the guard of every endpoint. Only this module applies Passport. */
export function createAccessGuard(options: AccessGuardOptions): AccessGuard<Principal> {
  const passport = new Passport();
  passport.use('jwt', jwtStrategy(options.jwtSecret, options.findUser));
  passport.use('api-key', otherBearerStrategy(options.authenticateApiKey));
  passport.use('job', otherBearerStrategy(options.authenticateJob, maxJobTokenLength));
  const strategies = ['jwt', 'api-key', 'session', 'job'];
  passport.use('session', sessionStrategy(options));
  passport.use('local', loginStrategy(options.checkCredentials));

  const authenticate = (by: string[], req: Request): Promise<Principal> =>
    new Promise((resolve, reject) => {
      const verified: Verified = (error, principal) => {
        if (error !== null && error !== undefined) reject(toError(error));
        else if (principal === false || principal === null || principal === undefined) reject(credentialInvalid());
        else resolve(principal);
      };
      const handle = passport.authenticate(by, { session: false }, verified) as RequestHandler;
      void handle(req, req.res as Response, reject);
    });

  return async (req, access, endpoint) => {
    if (access === 'public') return anonymous;
    if (access === 'login') return authenticate(['local'], req);
    const principal = await authenticate(strategies, req);
    requireSurface(principal, req);
    if (access !== 'authenticated' && !access.includes(principal.role))
      throw roleMissing(UserRole.parse(access.at(-1)));
    if (endpoint !== undefined) requireScope(principal, endpoint);
    return principal;
  };
}

/** The guard of a server whose sign-in is disabled. */
export const openGuard: AccessGuard<Principal> = createFixedGuard(openAccessAdmin);

/** Creates the guard of the control socket: its file mode restricts it to the user who runs the server. */
export function createLocalGuard(userName: string): AccessGuard<Principal> {
  return createFixedGuard(createLocalAdmin(userName));
}

function createFixedGuard(principal: Principal): AccessGuard<Principal> {
  return (_req, access) => Promise.resolve(access === 'public' || access === 'login' ? anonymous : principal);
}

function loginStrategy(checkCredentials: AccessGuardOptions['checkCredentials']): LocalStrategy {
  return new LocalStrategy(
    { passReqToCallback: true },
    (req: Request, username, password, done: (error: unknown, principal?: Principal) => void) => {
      const { data: code } = LoginRequest.shape.code.safeParse((req.body as { readonly code?: unknown }).code);
      checkCredentials({ username, password, code }, req.ip ?? '').then(
        (user) => done(null, toUserPrincipal(user)),
        done,
      );
    },
  );
}
