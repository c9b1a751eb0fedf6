import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { SessionCookie } from '@weir/service-kit';
import type { Clock } from '@weir/workflow-engine/model';
import { signInExpired } from './external-sign-in-errors';
import type { OidcChecks } from './oidc-provider';
import type { SealedCookie } from './sealed-cookie';

/** The data that a browser keeps while its user is at the provider. */
export interface SignInAttempt extends OidcChecks {
  /** The path of this server to show in the end. */
  readonly returnTo: string;
}

export interface SignInAttempts {
  /** Returns the cookie of a new attempt. */
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
    open(attempt) {
      const expiresAt = clock.now().getTime() + lifetimeMs;
      return sealed.write(JSON.stringify({ ...attempt, id: randomUUID(), expiresAt }), new Date(expiresAt));
    },
    async take(cookie) {
      const text = await sealed.read(cookie);
      if (text === undefined) throw signInExpired();
      const { id, expiresAt, ...attempt } = Stored.parse(JSON.parse(text));
      if (used.has(id) || expiresAt <= clock.now().getTime()) throw signInExpired();
      used.set(id, true);
      return attempt;
    },
  };
}
