import { createHash } from 'node:crypto';

/** A browser in which a user has signed in. Only a digest of the cookie's value is stored. */
export interface BrowserSession {
  readonly id: string;
  readonly userId: string;
  /** The token version of the user at the sign-in: a new password ends the session. */
  readonly tokenVersion: number;
  readonly tokenDigest: string;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

export const cookieName = 'weir_session';
export const tokenBytes = 32;
const tokenPattern = /^[\w-]{43}$/;

/** Whether the value of a cookie has the form of a token of this server. */
export function looksLikeToken(value: string): boolean {
  return tokenPattern.test(value);
}

/** A plain digest is enough: the token holds 256 random bits, so it cannot be guessed. */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
