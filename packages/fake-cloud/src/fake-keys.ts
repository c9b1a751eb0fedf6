import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { FakeClaims } from './fake-cloud-types';

/** The CI's, the cloud's own, the one that is exported as JSON, and one that nobody trusts. */
export type FakeRsaKeyName = 'issuer' | 'cloud' | 'exported' | 'stranger';

export interface FakeRsaKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

const made = new Map<FakeRsaKeyName, FakeRsaKey>();

/** RSA 2048. Made when first asked for and kept for the process: each costs a tenth of a second. */
export function fakeRsaKey(name: FakeRsaKeyName): FakeRsaKey {
  const known = made.get(name);
  if (known !== undefined) return known;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: id, use: 'sig', alg: 'RS256' };
  const key = { id, privateKey, publicJwk };
  made.set(name, key);
  return key;
}

/** RS256. Claims and header are taken as they are, so that wrong tokens can be made as well. */
export function signFakeToken(key: FakeRsaKeyName, claims: unknown, header: FakeClaims = {}): string {
  const { id, privateKey } = fakeRsaKey(key);
  const head = encode({ alg: 'RS256', typ: 'JWT', kid: id, ...header });
  const text = `${head}.${encode(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
