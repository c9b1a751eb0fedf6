import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hashKey } from './keys';

export const sessionCookieName = 'weir_rollout_session';

/** Browsers that may read. Their tokens are in memory only: after a restart people sign in again. */
export interface BrowserSessions {
  open(): { readonly token: string; readonly expires: Date };
  isOpen(token: string | undefined): boolean;
  close(token: string | undefined): void;
  /** Notes what happened at another process behind the same address. */
  note(session: BrowserSession): void;
}

export interface BrowserSession {
  readonly tokenHash: string;
  /** 0 once it is closed. */
  readonly endsAtMs: number;
}

export interface BrowserSessionsOptions {
  readonly nowMs: () => number;
  /** Called when one was opened or closed here. */
  readonly onChange?: ((session: BrowserSession) => void) | undefined;
}

const lifetimeMs = 12 * 3_600_000;
export const maxBrowserSessions = 1000;

export function createBrowserSessions({ nowMs, onChange }: BrowserSessionsOptions): BrowserSessions {
  const ends = new LRUCache<string, number>({ max: maxBrowserSessions });
  const note = ({ tokenHash, endsAtMs }: BrowserSession): void => {
    if (endsAtMs === 0) ends.delete(tokenHash);
    else ends.set(tokenHash, endsAtMs);
  };
  const change = (token: string, endsAtMs: number): void => {
    const session = { tokenHash: hashKey(token), endsAtMs };
    note(session);
    onChange?.(session);
  };
  return {
    open: () => {
      const token = randomBytes(32).toString('base64url');
      const endsAtMs = nowMs() + lifetimeMs;
      change(token, endsAtMs);
      return { token, expires: new Date(endsAtMs) };
    },
    isOpen: (token) => token !== undefined && (ends.get(hashKey(token)) ?? 0) > nowMs(),
    close: (token) => {
      if (token !== undefined) change(token, 0);
    },
    note,
  };
}
