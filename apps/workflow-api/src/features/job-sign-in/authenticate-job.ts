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
import { createIssuerKeys } from './issuer-keys';
import type { TrustedIssuer } from './trust-rules';

export interface JobSignInPorts {
  readonly issuers: readonly TrustedIssuer[];
  readonly fetch: FetchJson;
  readonly clock: Clock;
}

/**
 * Returns the principal of a token; `undefined` for a token that is not genuine, is meant for another server, or
 * meets no rule.
 */
export type AuthenticateJob = (token: string) => Promise<Principal | undefined>;

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/**
 * Accepts the OIDC tokens of CI jobs as credentials. Rejects with `upstream_failed` or `upstream_timeout` while the
 * keys of the issuer cannot be read.
 */
export function createJobAuthenticator({ issuers, fetch, clock }: JobSignInPorts): AuthenticateJob {
  const trusted = new Map(
    issuers.map((issuer) => [issuer.issuer, { ...issuer, findKeys: createIssuerKeys(issuer, fetch) }]),
  );
  return async (token) => {
    // The unverified issuer only selects the keys to try; nothing else is read before verification.
    const found = trusted.get(readIssuer(token) ?? '');
    if (found === undefined) return undefined;
    const { issuer, audience } = found;
    const now = () => clock.now().getTime();
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
