import { isAppError } from '@weir/foundation';
import type { FakeClaims } from './fake-types';
import { fakeRsaKey, type FakeRsaKeyName } from './rsa-keys';
import type { FakeWorld } from './world';

export interface FakeTokenExpectations {
  readonly keys: readonly FakeRsaKeyName[];
  readonly issuer: string;
  readonly audience: readonly string[];
  /** Default yes. */
  readonly needsSubject?: boolean;
}

export type VerificationResult =
  | { readonly claims: FakeClaims; readonly refusal?: never }
  /** A reason of `@weir/oidc-claims`. */
  | { readonly claims?: never; readonly refusal: string };

/** Verifies signature, issuer, audience and times. A token without a key id may be signed by any of the keys. */
export async function verifyFakeToken(
  world: FakeWorld,
  token: string,
  { keys, ...expectations }: FakeTokenExpectations,
): Promise<VerificationResult> {
  const result = await verifyBy(world, token, { keys, ...expectations });
  if (result.refusal !== 'signing_key_ambiguous') return result;
  for (const key of keys) {
    const single = await verifyBy(world, token, { keys: [key], ...expectations });
    if (single.refusal !== 'signature_invalid') return single;
  }
  return { refusal: 'signature_invalid' };
}

async function verifyBy(
  world: FakeWorld,
  token: string,
  { keys, issuer, audience, needsSubject = true }: FakeTokenExpectations,
): Promise<VerificationResult> {
  // It is loaded on demand: specs that start no cloud should not pay for loading the cryptography.
  const { verifyOidcToken } = await import('@weir/oidc-claims');
  try {
    const claims = await verifyOidcToken({
      token,
      issuer,
      audience,
      jwks: { keys: keys.map((name) => fakeRsaKey(name).publicJwk) },
      clockSkewSeconds: 5,
      now: () => world.nowSeconds() * 1000,
    });
    return { claims };
  } catch (error) {
    if (!isAppError(error) || error.reason === undefined) throw error;
    // Claims are parsed after signature, issuer, audience and expiry were verified.
    const lacksSubject = error.reason === 'claim_missing' && error.details?.claim === 'sub';
    const claims = decodeClaims(token);
    if (!needsSubject && lacksSubject && Number(claims.iat) <= world.nowSeconds() + 5) return { claims };
    return { refusal: error.reason };
  }
}

/** Decodes claims without verification, to find the key and the account to verify with. Never throws. */
export function decodeClaims(token: string): FakeClaims {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

/** Lifetime in seconds; NaN without `exp` or `iat`. */
export function readLifetime(claims: FakeClaims): number {
  return Number(claims.exp) - Number(claims.iat);
}
