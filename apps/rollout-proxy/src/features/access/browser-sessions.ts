import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hashKey } from './keys';

export const sessionCookieName = 'weir_rollout_session';

/** Browsers that may read. Their tokens are in memory only: after a restart people sign in again. */
export interface BrowserSessions {
  open(): { readonly token: string; readonly expires: Date };
  isOpen(token: string | undefined): boolean;
  close(token: string | undefined): void;
}

const lifetimeMs = 12 * 3_600_000;
const maxSessions = 1000;

export function createBrowserSessions(nowMs: () => number): BrowserSessions {
  const ends = new LRUCache<string, number>({ max: maxSessions });
  return {
    open: () => {
      const token = randomBytes(32).toString('base64url');
      const endsAtMs = nowMs() + lifetimeMs;
      ends.set(hashKey(token), endsAtMs);
      return { token, expires: new Date(endsAtMs) };
    },
    isOpen: (token) => token !== undefined && (ends.get(hashKey(token)) ?? 0) > nowMs(),
    close: (token) => {
      if (token !== undefined) ends.delete(hashKey(token));
    },
  };
}
