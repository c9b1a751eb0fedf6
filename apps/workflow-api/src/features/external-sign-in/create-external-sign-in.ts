import type { RequestHandler } from 'express';
import { Router } from 'express';
import type { Logger } from '@weir/service-kit';
import type { OidcTestResponse, OidcTestSettings, SignInState } from '@weir/workflow-contract/schemas';
import type { ExternalSignInOptions, OidcSettings } from '../../config/external-sign-in-settings';
import type { Sealer } from '../../encryption';
import type { AuditTrail } from '../audit';
import type { BrowserSessionService } from '../browser-sessions';
import { createAdmission, type AdmissionPorts } from './admit-person';
import { createOidcPages, oidcPaths } from './oidc-pages';
import { createOidcProvider } from './oidc-provider';
import { oidcNotConfigured } from './external-sign-in-errors';
import { createProxyPages, proxyPath } from './proxy-pages';
import { createSignInAttempts } from './sign-in-attempt';
import { testOidcSettings } from './test-oidc-settings';
import { toTestedProvider } from './tested-provider';

export interface ExternalSignInPorts extends AdmissionPorts {
  readonly basePath: string;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  readonly sessions: Pick<BrowserSessionService, 'open'>;
}

/** The sign-in with other providers. */
export interface ExternalSignIn {
  readonly providers: SignInState['providers'];
  /** Tests whether the provider of these settings, or of the server's settings, offers what a sign-in needs. */
  test(settings: OidcTestSettings | undefined): Promise<OidcTestResponse>;
  /** Creates the pages for the base path. */
  createPages(ports: { readonly audit: Pick<AuditTrail, 'openRecord'>; readonly logger: Logger }): RequestHandler;
}

const sendRequest: typeof fetch = (url, init) => fetch(url, init);

export function createExternalSignIn(options: ExternalSignInOptions, ports: ExternalSignInPorts): ExternalSignIn {
  const { oidc, proxy } = options;
  const { basePath, sealer, clock } = ports;
  const admit = createAdmission(ports);
  const toCallbackUrl = ({ clientUrl }: Pick<OidcSettings, 'clientUrl'>): string =>
    `${clientUrl}${basePath}${oidcPaths.callback}`;
  return {
    providers: [
      ...(oidc === undefined ? [] : [{ kind: 'oidc' as const, label: oidc.buttonLabel, path: oidcPaths.begin }]),
      ...(proxy === undefined ? [] : [{ kind: 'proxy' as const, label: proxy.buttonLabel, path: proxyPath }]),
    ],
    test: async (settings) => {
      const tested = settings === undefined ? oidc : toTestedProvider(settings);
      if (tested === undefined) throw oidcNotConfigured();
      return testOidcSettings({ ...tested, callbackUrl: toCallbackUrl(tested), fetch: sendRequest });
    },
    createPages: (shared) => {
      const router = Router({ caseSensitive: true });
      if (oidc !== undefined) {
        const provider = createOidcProvider({ ...oidc, callbackUrl: toCallbackUrl(oidc), fetch: sendRequest });
        const attempts = createSignInAttempts(sealer, `${basePath}${oidcPaths.callback}`, clock);
        router.use(createOidcPages({ ...ports, ...shared, provider, attempts, admit, rules: oidc.rules }));
      }
      if (proxy !== undefined) router.use(createProxyPages({ ...ports, ...shared, proxy, admit }));
      return router;
    },
  };
}
