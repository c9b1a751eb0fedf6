import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** The stored form of a session key. Keys have 256 random bits or are chosen by the caller, so no salt is needed. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

export function createSessionKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Derives the same key from a name in every process. Requires the admin key. */
export type DeriveNamedKey = (name: readonly string[]) => string;

export function createNamedKeyDerivation(adminKey: string): DeriveNamedKey {
  return (name) =>
    createHmac('sha256', adminKey)
      .update(JSON.stringify(['session key', ...name]))
      .digest('base64url');
}

/** Compares the hash of a given key with that of this one, in constant time. */
export function createKeyCheck(key: string): (givenHash: string) => boolean {
  const expected = Buffer.from(hashKey(key));
  return (givenHash) => timingSafeEqual(Buffer.from(givenHash), expected);
}

const bearer = /^bearer +(.*)$/i;

/** Only operations whose clients send keys so take them from the address, which other programs may log. */
const withKeyInAddress = /:(?:generateContent|streamGenerateContent|countTokens)$/;

/** The key of `Authorization: Bearer`, otherwise that of `x-api-key`, of `x-goog-api-key`, or of the address. */
export function readKey(req: Request): string | undefined {
  const { key } = withKeyInAddress.test(req.path) ? req.query : {};
  const given = [
    bearer.exec(req.get('authorization') ?? '')?.[1],
    req.get('x-api-key'),
    req.get('x-goog-api-key'),
    typeof key === 'string' ? key : undefined,
  ];
  return given.map((text) => text?.trim()).find((text) => text !== undefined && text !== '');
}
