import { randomUUID } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { SessionCookie } from '@weir/service-kit';
import type { Clock } from '@weir/workflow-engine/model';
import { returnAddressInvalid, signInExpired } from './external-sign-in-errors';
import type { OidcChecks } from './oidc-provider';
import { maxSealedLength, type SealedCookie } from './sealed-cookie';

/** The data that a browser keeps while its user is at the provider. */
export interface SignInAttempt extends OidcChecks {
  /** The path of this server to show in the end. */
  readonly returnTo: string;
}

export interface SignInAttempts {
  /** Returns the cookie of a new attempt. Rejects with `return_address_invalid` for a page whose address is too long for one. */
  open(attempt: SignInAttempt): Promise<SessionCookie>;
  /** Returns the attempt of a cookie, once. Rejects with `sign_in_expired`. */
  take(cookie: string | undefined): Promise<SignInAttempt>;
}

const lifetimeMs = 10 * 60 * 1000;
const maxUsed = 100_000;

const Stored = z.object({
  id: z.string(),
  expiresAt: z.number(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
});

/**
 * Attempts are sealed into the cookie of the browser, so that strangers who begin many use no storage here. Returned
 * attempts are remembered until they would have expired; on another process of the installation, the provider refuses
 * the code that was already used.
 */
export function createSignInAttempts(sealed: SealedCookie, clock: Clock): SignInAttempts {
  const used = new LRUCache<string, true>({ max: maxUsed, ttl: lifetimeMs });
  return {
    async open(attempt) {
      const expiresAt = clock.now().getTime() + lifetimeMs;
      const text = JSON.stringify({ ...attempt, id: randomUUID(), expiresAt });
      // An address that was escaped twice would be too long for a cookie.
      const cookie = await sealed.write(deflateRawSync(text).toString('base64'), new Date(expiresAt));
      if (cookie.value.length > maxSealedLength) throw returnAddressInvalid();
      return cookie;
    },
    async take(cookie) {
      const text = await sealed.read(cookie);
      if (text === undefined) throw signInExpired();
      const { id, expiresAt, ...attempt } = Stored.parse(JSON.parse(inflate(text)));
      if (used.has(id) || expiresAt <= clock.now().getTime()) throw signInExpired();
      used.set(id, true);
      return attempt;
    },
  };
}

function inflate(text: string): string {
  return inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: 64 * 1024 }).toString('utf8');
}
