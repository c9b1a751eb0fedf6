import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { FakeClaims } from './fake-types';

/** The keys of the CI provider, of Google, of exported service account keys, and one that no service trusts. */
export type FakeRsaKeyName = 'issuer' | 'cloud' | 'exported' | 'stranger';

export interface FakeRsaKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

const keys = new Map<FakeRsaKeyName, FakeRsaKey>();

/** Creates an RSA key on first use and caches it, because that takes about 100 ms. */
export function fakeRsaKey(name: FakeRsaKeyName): FakeRsaKey {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: id, use: 'sig', alg: 'RS256' };
  const key = { id, privateKey, publicJwk };
  keys.set(name, key);
  return key;
}

/** Signs with RS256. Accepts any claims and header, so that specs can create invalid tokens. */
export function signFakeToken(key: FakeRsaKeyName, claims: unknown, header: FakeClaims = {}): string {
  const { id, privateKey } = fakeRsaKey(key);
  const head = encode({ alg: 'RS256', typ: 'JWT', kid: id, ...header });
  const text = `${head}.${encode(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
