import { rolloutContract } from '@weir/rollout-contract';
import type { Bind } from '../../bind';
import { keyUnknown, sessionCookieName, type BrowserSessions } from '../access';

export interface BrowserSessionRoutesOptions {
  readonly browserSessions: BrowserSessions;
  /** Whether a key may read everything. */
  readonly mayRead: (key: string) => boolean;
}

const path = '/';

export function bindBrowserSessionRoutes(bind: Bind, { browserSessions, mayRead }: BrowserSessionRoutesOptions): void {
  bind(rolloutContract.signIn, ({ input, setSessionCookie }) => {
    if (!mayRead(input.body.key.trim())) throw keyUnknown();
    const { token, expires } = browserSessions.open();
    setSessionCookie({ name: sessionCookieName, value: token, path, expires });
    return { signed_in: true };
  });
  bind(rolloutContract.getBrowserSession, ({ principal }) => ({
    signed_in: browserSessions.isOpen(principal.browserToken),
  }));
  bind(rolloutContract.signOut, ({ principal, setSessionCookie }) => {
    browserSessions.close(principal.browserToken);
    setSessionCookie({ name: sessionCookieName, value: '', path, expires: new Date(0) });
  });
}
