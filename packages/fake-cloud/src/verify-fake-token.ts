import { isAppError } from '@weir/errors';
import type { FakeClaims } from './fake-cloud-types';
import { fakeRsaKey, type FakeRsaKeyName } from './fake-keys';
import type { FakeWorld } from './fake-world';

export interface FakeTokenExpectations {
  readonly keys: readonly FakeRsaKeyName[];
  readonly issuer: string;
  readonly audience: readonly string[];
  /** Default yes. */
  readonly needsSubject?: boolean;
}

export type FakeVerdict =
  | { readonly claims: FakeClaims; readonly refusal?: never }
  /** A reason of the claims package. */
  | { readonly claims?: never; readonly refusal: string };

/** Signature, issuer, audience and times, by the world's clock. A token that names no key may be signed by any. */
export async function verifyFakeToken(
  world: FakeWorld,
  token: string,
  { keys, ...expectations }: FakeTokenExpectations,
): Promise<FakeVerdict> {
  const verdict = await verifyBy(world, token, { keys, ...expectations });
  if (verdict.refusal !== 'signing_key_ambiguous') return verdict;
  for (const key of keys) {
    const byOne = await verifyBy(world, token, { keys: [key], ...expectations });
    if (byOne.refusal !== 'signature_invalid') return byOne;
  }
  return { refusal: 'signature_invalid' };
}

async function verifyBy(
  world: FakeWorld,
  token: string,
  { keys, issuer, audience, needsSubject = true }: FakeTokenExpectations,
): Promise<FakeVerdict> {
  // Loaded late: most specs that import this package start no cloud, and would pay for its cryptography.
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
    // Claims are read after signature, issuer, audience and expiry were found right.
    const lacksSubject = error.reason === 'claim_missing' && error.details?.claim === 'sub';
    const claims = peekClaims(token);
    if (!needsSubject && lacksSubject && Number(claims.iat) <= world.nowSeconds() + 5) return { claims };
    return { refusal: error.reason };
  }
}

/** An `Error`-free look at claims that nothing proves, to know which key and whose account to check against. */
export function peekClaims(token: string): FakeClaims {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

/** How long a token was meant to live; NaN where it does not say. */
export function lifetimeOf(claims: FakeClaims): number {
  return Number(claims.exp) - Number(claims.iat);
}
