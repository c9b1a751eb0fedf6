import { readCookie, setSessionCookie } from '@weir/service-kit';
import { Router, type RequestHandler } from 'express';
import type { AdmissionRules } from '../../config/external-sign-in-settings';
import type { AdmitPerson } from './admit-person';
import type { OidcProvider } from './oidc-provider';
import { readReturnAddress } from './return-address';
import { attemptCookieName, type SignInAttempts } from './sign-in-attempt';
import { createSignInPage, noStore, redirectFailures, type SignInPagePorts } from './sign-in-pages';

export interface OidcPagePorts extends SignInPagePorts {
  readonly provider: OidcProvider;
  readonly attempts: SignInAttempts;
  readonly admit: AdmitPerson;
  readonly rules: AdmissionRules;
}

export const oidcPaths = { begin: '/oidc-login', callback: '/oidc-callback' } as const;

/** Creates the two pages of the authorization code flow, below the base path. */
export function createOidcPages(ports: OidcPagePorts): RequestHandler {
  const { provider, attempts, admit, rules } = ports;
  const router = Router({ caseSensitive: true });

  router.get(oidcPaths.begin, async (req, res) => {
    noStore(res);
    const returnTo = readReturnAddress(req.query.return);
    await redirectFailures(ports, res, async () => {
      const { address, checks } = await provider.begin();
      setSessionCookie(req, res, await attempts.open({ ...checks, returnTo }));
      res.redirect(303, address);
    });
  });

  router.get(
    oidcPaths.callback,
    createSignInPage(ports, async (req, res, person) => {
      const cookie = readCookie(req, attemptCookieName);
      setSessionCookie(req, res, attempts.expiredCookie());
      const { returnTo, ...checks } = await attempts.take(cookie);
      const identity = await provider.finish(new URL(req.originalUrl, 'http://server.invalid').search, checks);
      return { user: await admit(identity, rules, person), returnTo };
    }),
  );
  return router;
}
