import { createPublicKey, createVerify } from 'node:crypto';
import { isObject, parseJson } from './fake-call';
import { fakeRsaKey } from './fake-keys';
import type { FakeGrant } from './fake-secrets';
import { findAccount, type FakeWorld } from './fake-world';
import { lifetimeOf, peekClaims } from './verify-fake-token';

/**
 * What a bearer is good for that an account made itself, with its exported key: all of one API, or some scopes.
 * Clients with a key do so in universes that redeem no assertions. `undefined` for any other bearer.
 */
export function readSelfSigned(world: FakeWorld, bearer: string, api: string): FakeGrant | undefined {
  const claims = peekClaims(bearer);
  const account = findAccount(world, String(claims.iss));
  if (account === undefined || claims.sub !== account.email || !isSignedByExportedKey(bearer)) return undefined;
  const now = world.nowSeconds();
  const isTimely = Number(claims.iat) <= now + 5 && Number(claims.exp) > now && lifetimeOf(claims) <= 3600;
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ').filter(Boolean) : [];
  const isForApi = scopes.length === 0 && claims.aud === api;
  if (!isTimely || !(scopes.length > 0 || isForApi)) return undefined;
  const all = [`https://www.${world.universe}/auth/cloud-platform`];
  return { principal: account.email, scopes: isForApi ? all : scopes, expiresAtSeconds: Number(claims.exp) };
}

// By hand: a verifier of OIDC tokens wants an audience, which a token with scopes does not have.
function isSignedByExportedKey(bearer: string): boolean {
  const [head = '', body = '', signature = ''] = bearer.split('.');
  const header = parseJson(Buffer.from(head, 'base64url').toString('utf8'));
  const { id, privateKey } = fakeRsaKey('exported');
  if (!isObject(header) || header.alg !== 'RS256' || (header.kid ?? id) !== id) return false;
  const verifier = createVerify('RSA-SHA256').update(`${head}.${body}`);
  return verifier.verify(createPublicKey(privateKey), signature, 'base64url');
}
