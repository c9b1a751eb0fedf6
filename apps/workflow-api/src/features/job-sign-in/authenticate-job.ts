import { isAppError } from '@weir/foundation';
import {
  decodeClaimsUnverified,
  matchClaims,
  verifyOidcToken,
  type FetchJson,
  type OidcClaims,
} from '@weir/oidc-claims';
import type { Clock } from '@weir/workflow-engine/model';
import type { Principal } from '../../access/principal';
import { checkJobToken, type CheckedToken } from './check-job-token';
import { createIssuerKeys } from './issuer-keys';
import type { TrustedIssuer } from './trust-rules';

export interface JobSignInPorts {
  readonly issuers: readonly TrustedIssuer[];
  readonly fetch: FetchJson;
  readonly clock: Clock;
}

/** Accepts the OIDC tokens of CI jobs as credentials. */
export interface JobSignIn {
  readonly issuers: readonly TrustedIssuer[];
  /**
   * Returns the principal of a token; `undefined` for a token that is not genuine, is meant for another server, or
   * meets no rule. Rejects with `upstream_failed` or `upstream_timeout` while the keys of the issuer cannot be read.
   */
  authenticate(token: string): Promise<Principal | undefined>;
  /** Says why a token is accepted or not. */
  check(token: string): Promise<CheckedToken>;
}

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

export function createJobSignIn({ issuers, fetch, clock }: JobSignInPorts): JobSignIn {
  const trusted = new Map(
    issuers.map((issuer) => [issuer.issuer, { ...issuer, findKeys: createIssuerKeys(issuer, fetch) }]),
  );
  const now = (): number => clock.now().getTime();
  const authenticate = async (token: string): Promise<Principal | undefined> => {
    // The unverified issuer only selects the keys to try; nothing else is read before verification.
    const found = trusted.get(readIssuer(token) ?? '');
    if (found === undefined) return undefined;
    const { issuer, audience } = found;
    try {
      const fetchJwks = await found.findKeys();
      const claims = await verifyOidcToken({ token, issuer, audience, algorithms, fetchJwks, now });
      const rule = found.rules.find((one) => matchClaims(one.claims, claims).matched);
      return rule && toPrincipal(claims, rule);
    } catch (error) {
      if (isAppError(error) && error.code === 'unauthenticated') return undefined;
      throw error;
    }
  };
  const check = async (token: string): Promise<CheckedToken> => {
    const issuer = readIssuer(token);
    const found = trusted.get(issuer ?? '');
    if (found === undefined) return checkJobToken({ token, issuer, trusted: undefined });
    const verify = async (given: { readonly audience: string | readonly string[]; readonly now: () => number }) =>
      verifyOidcToken({ ...given, token, issuer: found.issuer, algorithms, fetchJwks: await found.findKeys() });
    return checkJobToken({ token, issuer, trusted: { ...found, verify, now, authenticate } });
  };
  return { issuers, authenticate, check };
}

function readIssuer(token: string): string | undefined {
  // Most bearer values are keys or tokens of this server.
  if (!token.startsWith('ey')) return undefined;
  try {
    const { iss } = decodeClaimsUnverified(token).claims;
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}

function toPrincipal(claims: OidcClaims, rule: TrustedIssuer['rules'][number]): Principal {
  const { role, workspaceAccess } = rule;
  return { kind: 'job', id: `job:${claims.iss} ${claims.sub}`, name: `job:${claims.sub}`, role, workspaceAccess };
}
