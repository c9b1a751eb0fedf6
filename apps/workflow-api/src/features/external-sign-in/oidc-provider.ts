import { isAppError } from '@weir/foundation';
import { createDiscovery, isUnreachable, loadOidcClient, providerUnavailable, type OidcClient } from '../../oidc';
import type { ExternalIdentity } from './external-identity';
import { signInRefused } from './external-sign-in-errors';
import { toOidcIdentity } from './oidc-identity';

export interface OidcProviderOptions extends OidcClient {
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  /** The address that the provider sends the browser back to. */
  readonly callbackUrl: string;
}

/** The secrets of one attempt, which only this server and the browser know. */
export interface OidcChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcProvider {
  /** Returns the address to send the browser to. Rejects with `provider_unavailable`. */
  begin(): Promise<{ readonly address: string; readonly checks: OidcChecks }>;
  /** Returns the person who came back with this query. Rejects with `sign_in_refused` or `provider_unavailable`. */
  finish(query: string, checks: OidcChecks): Promise<ExternalIdentity>;
}

/** Signs people in by the authorization code flow with PKCE. `openid-client` makes all checks of tokens. */
export function createOidcProvider(
  options: OidcProviderOptions,
  findConfiguration = createDiscovery(options),
): OidcProvider {
  const { callbackUrl, scopes, groupsClaim } = options;
  return {
    async begin() {
      const client = await loadOidcClient();
      const configuration = await findConfiguration();
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const address = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackUrl,
        scope: scopes.join(' '),
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      });
      return { address: address.href, checks };
    },

    async finish(query, { state, nonce, verifier }) {
      const client = await loadOidcClient();
      const configuration = await findConfiguration();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      try {
        const tokens = await client.authorizationCodeGrant(configuration, new URL(`${callbackUrl}${query}`), checks);
        const claims = tokens.claims();
        if (claims === undefined) throw signInRefused();
        // Many providers have groups and addresses only here.
        const info =
          configuration.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
        return toOidcIdentity({ ...info, ...claims }, groupsClaim);
      } catch (error) {
        if (isAppError(error)) throw error;
        throw isUnreachable(error) ? providerUnavailable(error) : signInRefused(error);
      }
    },
  };
}
