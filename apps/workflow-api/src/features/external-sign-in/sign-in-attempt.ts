import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { isAppError } from '@weir/foundation';
import type { SessionCookie } from '@weir/service-kit';
import type { Clock } from '@weir/workflow-engine/model';
import type { Sealer } from '../../encryption';
import { signInExpired } from './external-sign-in-errors';
import type { OidcChecks } from './oidc-provider';

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
  /** Returns a cookie that removes the attempt's cookie. */
  expiredCookie(): SessionCookie;
}

export const attemptCookieName = 'weir_sign_in';
const lifetimeMs = 10 * 60 * 1000;
const maxCookieLength = 6000;
const maxUsed = 100_000;
const context = 'attempt to sign in';

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
export function createSignInAttempts(
  sealer: Pick<Sealer, 'seal' | 'open'>,
  path: string,
  clock: Clock,
): SignInAttempts {
  const used = new LRUCache<string, true>({ max: maxUsed, ttl: lifetimeMs });

  const read = async (cookie: string): Promise<z.output<typeof Stored>> => {
    const [keyId = '', wrapped = '', encrypted = ''] = cookie.split('.');
    try {
      const text = await sealer.open({ keyId, text: `${wrapped}.${encrypted}` }, context);
      return Stored.parse(JSON.parse(text));
    } catch (error) {
      if (isAppError(error) && !['encryption_key_unknown', 'sealed_text_damaged'].includes(error.reason ?? ''))
        throw error;
      throw signInExpired();
    }
  };
  return {
    async open(attempt) {
      const expiresAt = clock.now().getTime() + lifetimeMs;
      const { keyId, text } = await sealer.seal(JSON.stringify({ ...attempt, id: randomUUID(), expiresAt }), context);
      // A strict cookie would not come back with a browser that another site sends.
      return {
        name: attemptCookieName,
        value: `${keyId}.${text}`,
        path,
        expires: new Date(expiresAt),
        sameSite: 'lax',
      };
    },
    async take(cookie) {
      if (cookie === undefined || cookie === '' || cookie.length > maxCookieLength) throw signInExpired();
      const { id, expiresAt, ...attempt } = await read(cookie);
      if (used.has(id) || expiresAt <= clock.now().getTime()) throw signInExpired();
      used.set(id, true);
      return attempt;
    },
    expiredCookie: () => ({ name: attemptCookieName, value: '', path, expires: new Date(0), sameSite: 'lax' }),
  };
}
