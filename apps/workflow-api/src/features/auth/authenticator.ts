import { toError } from '@weir/errors';
import type { Secret } from '@weir/service-kit';
import type { Request } from 'express';
import { Passport } from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';
import type { User } from '../users';
import { apiKeyStrategy, jwtStrategy } from './bearer-strategies';
import type { Principal } from './principal';

export interface AuthenticatorOptions {
  readonly jwtSecret: Secret;
  readonly findUser: (id: string) => Promise<User | undefined>;
  readonly authenticateApiKey: (key: string) => Promise<Principal | undefined>;
  /** Rejects when the username and password do not belong to an enabled user. */
  readonly checkPassword: (username: string, password: string) => Promise<User>;
}

/** The only place that knows Passport. */
export interface Authenticator {
  /** Who a request's bearer value belongs to; `undefined` for a missing or invalid one. */
  authenticateBearer(req: Request): Promise<Principal | undefined>;
  /** The user of a username and password. Rejects with what `checkPassword` rejects with. */
  authenticateLogin(username: string, password: string): Promise<User>;
}

type Verified<T> = (error: unknown, result?: T | false | null) => void;

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const passport = new Passport();
  passport.use('jwt', jwtStrategy(options.jwtSecret, options.findUser));
  passport.use('api-key', apiKeyStrategy(options.authenticateApiKey));
  passport.use(
    'local',
    new LocalStrategy((username, password, done: (error: unknown, user?: User) => void) => {
      options.checkPassword(username, password).then((user) => done(null, user), done);
    }),
  );

  const run = <T>(strategies: string[], req: Request): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const verified: Verified<T> = (error, result) => {
        if (error === null || error === undefined) resolve(result === false || result === null ? undefined : result);
        else reject(toError(error));
      };
      const authenticate = passport.authenticate(strategies, { session: false }, verified) as PassportHandler;
      authenticate(req, {}, reject);
    });

  return {
    authenticateBearer: (req) => run<Principal>(['jwt', 'api-key'], req),
    authenticateLogin: async (username, password) => {
      // The local strategy reads these two fields of a request and nothing else.
      const user = await run<User>(['local'], { headers: {}, body: { username, password } } as unknown as Request);
      // The contract refuses empty names and passwords, the only case in which the strategy asks nobody.
      return user ?? options.checkPassword(username, password);
    },
  };
}

type PassportHandler = (req: Request, res: object, next: (error: Error) => void) => void;
