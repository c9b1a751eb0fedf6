import { createPublicKey, createVerify } from 'node:crypto';
import { isObject, parseJson } from './call';
import { fakeRsaKey } from './rsa-keys';
import type { FakeGrant } from './secrets';
import { findAccount, type FakeWorld } from './world';
import { readLifetime, decodeClaims } from './verify-token';

/**
 * The grant of a JWT that an account signed with its exported key: one API, or the scopes in it. Clients with a key use
 * such tokens in universes without a token endpoint. `undefined` for any other bearer token.
 */
export function readSelfSigned(world: FakeWorld, bearer: string, api: string): FakeGrant | undefined {
  const claims = decodeClaims(bearer);
  const account = findAccount(world, String(claims.iss));
  if (account === undefined || claims.sub !== account.email || !isSignedByExportedKey(bearer)) return undefined;
  const now = world.nowSeconds();
  const isTimely = Number(claims.iat) <= now + 5 && Number(claims.exp) > now && readLifetime(claims) <= 3600;
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ').filter(Boolean) : [];
  const isForApi = scopes.length === 0 && claims.aud === api;
  if (!isTimely || !(scopes.length > 0 || isForApi)) return undefined;
  const all = [`https://www.${world.universe}/auth/cloud-platform`];
  return { principal: account.email, scopes: isForApi ? all : scopes, expiresAtSeconds: Number(claims.exp) };
}

// `verifyOidcToken` requires an audience, but a token with scopes has none.
function isSignedByExportedKey(bearer: string): boolean {
  const [head = '', body = '', signature = ''] = bearer.split('.');
  const header = parseJson(Buffer.from(head, 'base64url').toString('utf8'));
  const { id, privateKey } = fakeRsaKey('exported');
  if (!isObject(header) || header.alg !== 'RS256' || (header.kid ?? id) !== id) return false;
  const verifier = createVerify('RSA-SHA256').update(`${head}.${body}`);
  return verifier.verify(createPublicKey(privateKey), signature, 'base64url');
}
