import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Secret } from '@weir/service-kit';
import type { Request } from 'express';
import type { Strategy } from 'passport';
import { Strategy as CustomStrategy } from 'passport-custom';
import { ExtractJwt, Strategy as JwtStrategy } from 'passport-jwt';
import { z } from 'zod';
import { tokenRules } from '../../adapters/token-signer';
import type { User } from '../../access/user';
import { toUserPrincipal, type Principal } from '../../access/principal';

// The library checks an expiry only if there is one; a token without one would never end.
const Claims = z.object({ sub: z.string(), ver: z.int(), exp: z.int() });

/** Maximum length of a bearer token; our own tokens have a few hundred characters. */
const maxBearerLength = 4096;
/** Maximum length of the tokens of CI jobs, which have up to 3 KiB. */
export const maxJobTokenLength = 16_384;

type FindUser = (id: string) => Promise<User | undefined>;

/** Returns the bearer value of a request; the scheme is matched without regard to case. */
export function readBearer(req: Pick<Request, 'headers'>, maxLength = maxBearerLength): string | undefined {
  const match = /^bearer +([^ ]+)$/i.exec(req.headers.authorization ?? '');
  const value = match?.[1];
  return value !== undefined && value.length <= maxLength ? value : undefined;
}

/**
 * Accepts a token of this server: signed with HS256 and its key, not expired, and its user is enabled and has that
 * token version.
 */
export function jwtStrategy(secret: Secret, findUser: FindUser): JwtStrategy {
  return new JwtStrategy(
    {
      jwtFromRequest: ExtractJwt.fromExtractors([(req: Request) => readBearer(req) ?? null]),
      secretOrKey: toSecretKey(secret),
      algorithms: [tokenRules.algorithm],
      issuer: tokenRules.issuer,
      audience: tokenRules.audience,
    },
    (payload: unknown, done: (error: unknown, principal?: Principal | false) => void) => {
      const claims = Claims.safeParse(payload);
      if (!claims.success) {
        done(null, false);
        return;
      }
      findUser(claims.data.sub).then((user) => done(null, toTokenPrincipal(user, claims.data.ver)), done);
    },
  );
}

/** A string would be tried as a public key first, at every request; the types of the library do not know key objects. */
function toSecretKey(secret: Secret): string {
  const key: KeyObject = createSecretKey(secret.reveal(), 'utf8');
  return key as KeyObject & string;
}

function toTokenPrincipal(user: User | undefined, tokenVersion: number): Principal | false {
  if (user === undefined || user.isDisabled || user.tokenVersion !== tokenVersion) return false;
  return toUserPrincipal(user);
}

/** Accepts the other bearer values: an API key, or the token of a CI job. */
export function otherBearerStrategy(
  authenticate: (key: string) => Promise<Principal | undefined>,
  maxLength = maxBearerLength,
): Strategy {
  return new CustomStrategy((req, done) => {
    const key = readBearer(req, maxLength);
    if (key === undefined) {
      done(null, false);
      return;
    }
    authenticate(key).then((principal) => done(null, principal ?? false), done);
  });
}
