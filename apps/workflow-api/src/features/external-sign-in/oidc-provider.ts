import { isAppError } from '@weir/foundation';
import {
  createDiscovery,
  isSecureAddress,
  isUnreachable,
  loadOidcClient,
  providerUnavailable,
  type OidcClient,
} from '../../oidc';
import { signInRefused } from './external-sign-in-errors';

export interface OidcProviderOptions extends OidcClient {
  readonly scopes: readonly string[];
  /** The address that the provider sends the browser back to. */
  readonly callbackUrl: string;
  /** The address that the provider sends the browser back to after a sign-out. */
  readonly signedOutUrl: string;
}

/** The secrets of one attempt, which only this server and the browser know. */
export interface OidcChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcPerson {
  /** The verified claims of the ID token and of the userinfo endpoint. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly idToken: string | undefined;
}

export interface OidcProvider {
  /** Returns the address to send the browser to. Rejects with `provider_unavailable`. */
  begin(): Promise<{ readonly address: string; readonly checks: OidcChecks }>;
  /** Returns who came back with this query. Rejects with `sign_in_refused` or `provider_unavailable`. */
  finish(query: string, checks: OidcChecks): Promise<OidcPerson>;
  /**
   * Returns the address to send the browser to after a sign-out here; `undefined` where the provider has none. With the
   * ID token of the sign-in, providers know whom to sign out. Rejects with `provider_unavailable`.
   */
  findSignOutAddress(idToken: string | undefined): Promise<string | undefined>;
}

/** Signs people in by the authorization code flow with PKCE. `openid-client` makes all checks of tokens. */
export function createOidcProvider(
  options: OidcProviderOptions,
  findConfiguration = createDiscovery(options),
): OidcProvider {
  const { callbackUrl, signedOutUrl, scopes } = options;
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
        return { claims: { ...info, ...claims }, idToken: tokens.id_token };
      } catch (error) {
        if (isAppError(error)) throw error;
        throw isUnreachable(error) ? providerUnavailable(error) : signInRefused(error);
      }
    },

    async findSignOutAddress(idToken) {
      const client = await loadOidcClient();
      const configuration = await findConfiguration();
      const { end_session_endpoint: endpoint } = configuration.serverMetadata();
      if (endpoint === undefined || !isSecureAddress(endpoint)) return undefined;
      return client.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: signedOutUrl,
        ...(idToken === undefined ? {} : { id_token_hint: idToken }),
      }).href;
    },
  };
}
