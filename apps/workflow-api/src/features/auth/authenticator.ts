import { toError } from '@weir/errors';
import type { Secret } from '@weir/service-kit';
import type { Request, RequestHandler, Response } from 'express';
import { Passport } from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';
import type { User } from '../users';
import { credentialInvalid } from './auth-errors';
import { apiKeyStrategy, jwtStrategy, toPrincipal } from './bearer-strategies';
import type { LoginThrottle } from './login-throttle';
import type { Principal } from './principal';

export interface AuthenticatorOptions {
  readonly throttle: LoginThrottle;
  readonly jwtSecret: Secret;
  readonly findUser: (id: string) => Promise<User | undefined>;
  readonly authenticateApiKey: (key: string) => Promise<Principal | undefined>;
  /** Rejects when the username and password do not belong to an enabled user. */
  readonly checkPassword: (username: string, password: string) => Promise<User>;
}

/** The only module that knows Passport. */
export interface Authenticator {
  /** Who a request's bearer value belongs to; `undefined` for a missing or invalid one. */
  authenticateBearer(req: Request): Promise<Principal | undefined>;
  /**
   * Who the username and password of the request's parsed body belong to. Rejects with what `checkPassword` does,
   * and with `too_many_attempts`.
   */
  authenticateLogin(req: Request): Promise<Principal>;
}

type Verified = (error: unknown, principal?: Principal | false | null) => void;

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const passport = new Passport();
  passport.use('jwt', jwtStrategy(options.jwtSecret, options.findUser));
  passport.use('api-key', apiKeyStrategy(options.authenticateApiKey));
  passport.use('local', loginStrategy(options));

  const authenticate = (strategies: string[], req: Request): Promise<Principal | undefined> =>
    new Promise((resolve, reject) => {
      const verified: Verified = (error, principal) => {
        if (error === null || error === undefined) resolve(principal === false ? undefined : (principal ?? undefined));
        else reject(toError(error));
      };
      const handle = passport.authenticate(strategies, { session: false }, verified) as RequestHandler;
      void handle(req, req.res as Response, reject);
    });

  return {
    authenticateBearer: (req) => authenticate(['jwt', 'api-key'], req),
    authenticateLogin: async (req) => {
      const principal = await authenticate(['local'], req);
      // The strategy refuses only what the contract has refused before: an empty username or password.
      if (principal === undefined) throw credentialInvalid();
      return principal;
    },
  };
}

/** Attempts are counted before a password is checked. */
function loginStrategy({ throttle, checkPassword }: AuthenticatorOptions): LocalStrategy {
  return new LocalStrategy(
    { passReqToCallback: true },
    (req: Request, username, password, done: (error: unknown, principal?: Principal) => void) => {
      throttle
        .guard(username, req.ip ?? '', () => checkPassword(username, password))
        .then((user) => done(null, toPrincipal(user)), done);
    },
  );
}
