import { createHash, timingSafeEqual } from 'node:crypto';
import { base58 } from '../../adapters/base58';

const mark = 'weir_wh_';
const prefixLength = 12;

export const tokenBytes = 32;

export interface WebhookToken {
  readonly token: string;
  readonly tokenPrefix: string;
  readonly tokenDigest: string;
}

export function createWebhookToken(bytes: Uint8Array): WebhookToken {
  const token = `${mark}${base58.encode(bytes)}`;
  return { token, tokenPrefix: token.slice(0, prefixLength), tokenDigest: digest(token).toString('hex') };
}

/** Returns the token of a header `Authorization: Bearer <token>`; empty for any other header. */
export function readBearerToken(header: string | undefined): string {
  return /^bearer +(\S{1,200})$/i.exec(header ?? '')?.[1] ?? '';
}

/** Takes the same time for any token. */
export function isTokenOf(tokenDigest: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(tokenDigest, 'hex'), digest(token));
}

// A plain digest is enough: the token holds 256 random bits, so it cannot be guessed.
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
