import { readCookie, setSessionCookie } from '@weir/service-kit';
import type { Clock } from '@weir/workflow-engine/model';
import { Router, type RequestHandler } from 'express';
import { ownProviderId, type OidcSettings } from '../../config/external-sign-in-settings';
import type { Sealer } from '../../encryption';
import type { OutputEvaluator } from '../../output-thread';
import type { AdmitPerson } from './admit-person';
import { toOidcIdentity } from './oidc-identity';
import type { OidcProvider } from './oidc-provider';
import { readReturnAddress } from './return-address';
import { evaluateRoles } from './role-expression';
import { createSealedCookie, maxSealedLength, type SealedCookie } from './sealed-cookie';
import { createSignInAttempts } from './sign-in-attempt';
import { createSignInPage, noStore, redirectFailures, type SignInPagePorts } from './sign-in-pages';

export interface OidcPagePorts extends SignInPagePorts {
  readonly provider: OidcProvider;
  readonly settings: Pick<OidcSettings, 'id' | 'issuer' | 'groupsClaim' | 'roleExpression' | 'rules'>;
  readonly admit: AdmitPerson;
  readonly evaluator: OutputEvaluator;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  readonly tokenTtlSeconds: number;
  readonly clock: Clock;
}

/** The pages of a provider, below the base path. Each provider has its own, so that answers to one never reach another. */
export function oidcPathsOf(id: string) {
  const suffix = id === ownProviderId ? '' : `/${id}`;
  return { begin: `/oidc-login${suffix}`, callback: `/oidc-callback${suffix}`, signOut: `/oidc-logout${suffix}` };
}

/** Creates the pages of the authorization code flow and of the sign-out at the provider. */
export function createOidcPages(ports: OidcPagePorts): RequestHandler {
  const { basePath, provider, settings, admit, evaluator, clock } = ports;
  const { groupsClaim, roleExpression, rules } = settings;
  const paths = oidcPathsOf(settings.id);
  // A strict cookie would not come back with a browser that another site sends.
  const attemptCookie = createCookie(ports, { name: 'weir_sign_in', path: paths.callback, sameSite: 'lax' });
  const attempts = createSignInAttempts(attemptCookie, clock);
  const signOutCookie = createCookie(ports, { name: 'weir_sign_out', path: paths.signOut, sameSite: 'strict' });
  const router = Router({ caseSensitive: true });

  router.get(paths.begin, async (req, res) => {
    noStore(res);
    const returnTo = readReturnAddress(req.query.return);
    const work = async (): Promise<void> => {
      const { address, checks } = await provider.begin();
      setSessionCookie(req, res, await attempts.open({ ...checks, returnTo }));
      res.redirect(303, address);
    };
    await redirectFailures(ports, res, { work, page: () => returnTo });
  });

  router.get(
    paths.callback,
    createSignInPage(ports, async (req, res, person) => {
      const cookie = readCookie(req, attemptCookie.name);
      setSessionCookie(req, res, attemptCookie.expired());
      const { returnTo, ...checks } = await attempts.take(cookie);
      person.onPage(returnTo);
      const { claims, idToken } = await provider.finish(
        new URL(req.originalUrl, 'http://server.invalid').search,
        checks,
      );
      const grants = roleExpression === undefined ? [] : await evaluateRoles(roleExpression, claims, evaluator);
      const user = await admit({ ...toOidcIdentity(claims, groupsClaim), grants }, rules, person);
      setSessionCookie(req, res, await keepForSignOut(ports, signOutCookie, idToken));
      return user;
    }),
  );

  router.get(paths.signOut, async (req, res) => {
    noStore(res);
    const cookie = readCookie(req, signOutCookie.name);
    setSessionCookie(req, res, signOutCookie.expired());
    const work = async (): Promise<void> => {
      const address = await provider.findSignOutAddress(await signOutCookie.read(cookie));
      res.redirect(303, address ?? `${basePath}/`);
    };
    await redirectFailures(ports, res, { work });
  });
  return router;
}

type CookieOptions = Pick<SealedCookie, 'name'> & { readonly path: string; readonly sameSite: 'lax' | 'strict' };

/** The cookie of one provider is never read for another. */
function createCookie({ sealer, basePath, settings }: OidcPagePorts, { name, path, sameSite }: CookieOptions) {
  return createSealedCookie({
    sealer,
    name: settings.id === ownProviderId ? name : `${name}_${settings.id}`,
    path: `${basePath}${path}`,
    sameSite,
    purpose: `${name} of ${settings.id} at ${settings.issuer}`,
  });
}

/**
 * The browser keeps the ID token that a sign-out at the provider names, so that this server stores nothing of it. One
 * that is too long is left out; the provider then asks the person whom to sign out.
 */
async function keepForSignOut(
  { clock, tokenTtlSeconds }: OidcPagePorts,
  cookie: SealedCookie,
  idToken: string | undefined,
) {
  if (idToken === undefined) return cookie.expired();
  const kept = await cookie.write(idToken, new Date(clock.now().getTime() + tokenTtlSeconds * 1000));
  return kept.value.length > maxSealedLength ? cookie.expired() : kept;
}
