import type { RequestHandler } from 'express';
import { Router } from 'express';
import type { Logger } from '@weir/service-kit';
import type { OidcTestResponse, OidcTestSettings, SignInState } from '@weir/workflow-contract/schemas';
import type { User } from '../../access/user';
import {
  isSameIssuer,
  ownProviderId,
  type ExternalSignInOptions,
  type OidcSettings,
} from '../../config/external-sign-in-settings';
import type { AuditTrail } from '../audit';
import { createAdmission, type AdmissionPorts } from './admit-person';
import { createOidcPages, oidcPathsOf, type OidcPagePorts } from './oidc-pages';
import { createOidcProvider } from './oidc-provider';
import { oidcNotConfigured } from './external-sign-in-errors';
import { createProxyPages, proxyPath } from './proxy-pages';
import { testOidcSettings } from './test-oidc-settings';
import { toTestedProvider } from './tested-provider';

export type ExternalSignInPorts = AdmissionPorts &
  Pick<OidcPagePorts, 'basePath' | 'sealer' | 'sessions' | 'evaluator' | 'tokenTtlSeconds'>;

/** The sign-in with other providers. */
export interface ExternalSignIn {
  readonly providers: SignInState['providers'];
  /** Returns the page that signs a user out at their provider; `undefined` where there is none. */
  findSignOutPath(user: Pick<User, 'authProvider' | 'externalId'>): string | undefined;
  /** Tests whether the provider of these settings, or that of the server, offers what a sign-in needs. */
  test(tested: TestedProvider): Promise<OidcTestResponse>;
  /** Creates the pages for the base path. */
  createPages(ports: { readonly audit: Pick<AuditTrail, 'openRecord'>; readonly logger: Logger }): RequestHandler;
}

interface TestedProvider {
  readonly settings?: OidcTestSettings | undefined;
  /** The id of one of the server's providers. Default: the first one. */
  readonly provider?: string | undefined;
}

const sendRequest: typeof fetch = (url, init) => fetch(url, init);

export function createExternalSignIn(options: ExternalSignInOptions, ports: ExternalSignInPorts): ExternalSignIn {
  const { oidc, proxy } = options;
  const { basePath } = ports;
  const admit = createAdmission(ports);
  const addressesOf = (id: string, { clientUrl }: Pick<OidcSettings, 'clientUrl'>) => ({
    callbackUrl: `${clientUrl}${basePath}${oidcPathsOf(id).callback}`,
    signedOutUrl: `${clientUrl}${basePath}/`,
    fetch: sendRequest,
  });
  return {
    providers: [
      ...oidc.map(({ id, buttonLabel }) => ({
        kind: 'oidc' as const,
        id,
        label: buttonLabel,
        path: oidcPathsOf(id).begin,
      })),
      ...(proxy === undefined
        ? []
        : [{ kind: 'proxy' as const, id: 'proxy', label: proxy.buttonLabel, path: proxyPath }]),
    ],
    findSignOutPath: ({ authProvider, externalId = '' }) => {
      // The id of a person begins with the issuer.
      const [issuer = ''] = externalId.split(' ');
      const provider =
        authProvider === 'oidc' ? oidc.find((settings) => isSameIssuer(settings.issuer, issuer)) : undefined;
      return provider?.signsOutThere === true ? oidcPathsOf(provider.id).signOut : undefined;
    },
    test: async ({ settings, provider: id }) => {
      if (settings !== undefined) {
        const tested = toTestedProvider(settings);
        return testOidcSettings({ ...tested, ...addressesOf(ownProviderId, tested) });
      }
      const tested = id === undefined ? oidc[0] : oidc.find((each) => each.id === id);
      if (tested === undefined) throw oidcNotConfigured();
      return testOidcSettings({ ...tested, ...addressesOf(tested.id, tested) });
    },
    createPages: (shared) => {
      const router = Router({ caseSensitive: true });
      for (const settings of oidc) {
        const provider = createOidcProvider({ ...settings, ...addressesOf(settings.id, settings) });
        router.use(createOidcPages({ ...ports, ...shared, provider, settings, admit }));
      }
      if (proxy !== undefined) router.use(createProxyPages({ ...ports, ...shared, proxy, admit }));
      return router;
    },
  };
}
