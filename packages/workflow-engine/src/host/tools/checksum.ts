import { timingSafeEqual } from 'node:crypto';

export interface Checksum {
  readonly algorithm: 'sha256' | 'sha512';
  readonly hash: Buffer;
}

/** Parses the forms of a checksum that the spec accepts. */
export function parseChecksum(text: string): Checksum {
  const algorithm = text.startsWith('sha256') ? 'sha256' : 'sha512';
  const encoded = text.slice(algorithm.length + 1);
  return { algorithm, hash: Buffer.from(encoded, text.charAt(algorithm.length) === ':' ? 'hex' : 'base64') };
}

export function isSameHash({ hash }: Checksum, other: Buffer): boolean {
  return hash.length === other.length && timingSafeEqual(hash, other);
}
