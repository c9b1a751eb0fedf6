import { untilAborted } from '@weir/foundation';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { checkAlgorithms, type OidcAlgorithm } from './algorithms';
import { parseClaims } from './claims';
import type { OidcClaims } from './claims-schema';
import { checkTokenSize } from './decode-token';
import { oidcFailure } from './oidc-errors';
import type { RemoteJwks } from './remote-jwks';
import { translateJoseError } from './translate-jose-error';

export type JsonWebKeySet = JSONWebKeySet;

type KeyOptions =
  | { /** Known public keys. */ readonly jwks: JsonWebKeySet; readonly fetchJwks?: never }
  | {
      /** The result of `createRemoteJwks`; reuse one per issuer. */ readonly fetchJwks: RemoteJwks;
      readonly jwks?: never;
    };

export type VerifyOidcTokenOptions = KeyOptions & {
  /** The compact form, without `Bearer `. At most 16 KiB. */
  readonly token: string;
  /** The exact `iss`. */
  readonly issuer: string;
  /** The accepted audiences; `aud` must name at least one. */
  readonly audience: string | readonly string[];
  /** Accepted signature algorithms. Default `['RS256']`; `none` and HS* cannot be allowed. */
  readonly algorithms?: readonly OidcAlgorithm[];
  /** Allowed clock difference, 0 to 300. Default 60. */
  readonly clockSkewSeconds?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Aborts the request for remote keys. */
  readonly signal?: AbortSignal;
};

/**
 * Resolves to the claims of a genuine token: signed by one of the issuer's keys with an allowed algorithm, from the
 * issuer, for the audience, with `exp` ahead, `nbf` (if any) and `iat` not ahead, within the skew. The algorithm is
 * checked before any key is fetched, the claims only after the signature.
 *
 * Fails with `unauthenticated` and a reason of `oidcFailures` if the token is invalid, with `upstream_failed` or
 * `upstream_timeout` if the keys are unavailable, and with `internal`/`options_invalid` for unusable options.
 */
export async function verifyOidcToken(options: VerifyOidcTokenOptions): Promise<OidcClaims> {
  const { token, issuer, clockSkewSeconds = 60 } = options;
  const nowMs = (options.now ?? Date.now)();
  const audience = typeof options.audience === 'string' ? [options.audience] : [...options.audience];
  const algorithms = checkAlgorithms(options.algorithms ?? ['RS256']);
  checkExpectations(issuer, audience);
  checkTimes(nowMs, clockSkewSeconds);
  checkTokenSize(token);

  const claims = parseClaims(
    await verifiedPayload(token, keySource(options), {
      issuer,
      audience,
      algorithms,
      clockTolerance: clockSkewSeconds,
      currentDate: new Date(nowMs),
    }),
  );
  if (claims.iat > Math.floor(nowMs / 1000) + clockSkewSeconds) {
    throw oidcFailure('token_issued_in_future', 'The token was issued in the future; one of the clocks is wrong.');
  }
  return claims;
}

async function verifiedPayload(
  token: string,
  key: JWTVerifyGetKey,
  options: NonNullable<Parameters<typeof jwtVerify>[2]>,
): Promise<unknown> {
  try {
    return (await jwtVerify(token, key, options)).payload;
  } catch (error) {
    throw translateJoseError(error);
  }
}

// Empty expectations would accept tokens with empty claims.
function checkExpectations(issuer: string, audience: readonly string[]): void {
  if (issuer === '' || audience.length === 0 || audience.includes('')) {
    throw oidcFailure('options_invalid', 'The expected issuer or audience is empty.');
  }
}

function checkTimes(nowMs: number, clockSkewSeconds: number): void {
  if (!Number.isFinite(nowMs)) throw oidcFailure('options_invalid', 'The clock returned an invalid time.');
  if (!(clockSkewSeconds >= 0 && clockSkewSeconds <= 300)) {
    throw oidcFailure('options_invalid', 'The clock skew is not between 0 and 300 seconds.');
  }
}

function keySource(options: VerifyOidcTokenOptions): JWTVerifyGetKey {
  const { signal } = options;
  if (options.fetchJwks === undefined) return localKeys(options.jwks);
  if (signal === undefined) return options.fetchJwks;
  const { fetchJwks } = options;
  return async (header, token) => {
    try {
      return await untilAborted(Promise.resolve(fetchJwks(header, token)), signal);
    } catch (cause) {
      if (!signal.aborted) throw cause;
      throw oidcFailure('verification_cancelled', 'The verification was cancelled.', { cause });
    }
  };
}

function localKeys(jwks: JsonWebKeySet): JWTVerifyGetKey {
  try {
    return createLocalJWKSet(jwks);
  } catch (error) {
    throw translateJoseError(error);
  }
}
