import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import { createDiscovery, isUnreachable, loadOidcClient, providerUnavailable, type OidcClient } from '../../oidc';
import { loginRefused } from './agent-setting-errors';
import type { LoginFlow } from './login-flow';
import type { ModelLoginProvider } from './provider-config';

/** The tokens of a provider, not encrypted. */
export interface ProviderToken {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Undefined where the provider does not say. */
  readonly expiresInSeconds: number | undefined;
  readonly accountId: string | undefined;
}

/** The answer of a provider: the address with its parameters, or the code alone. */
export interface ProviderAnswer {
  readonly redirectUrl?: string | undefined;
  readonly code?: string | undefined;
}

export interface ProviderClient {
  /** Returns the address where an admin signs in. Rejects with `provider_unavailable`, as all functions of the client do. */
  begin(): Promise<{ readonly address: string; readonly checks: Pick<LoginFlow, 'state' | 'nonce' | 'verifier'> }>;
  /** Rejects with `agent_login_refused`. */
  finish(answer: ProviderAnswer, flow: LoginFlow): Promise<ProviderToken>;
  /** Rejects with `agent_login_refused` when the refresh token is no longer valid. */
  refresh(refreshToken: string): Promise<ProviderToken>;
}

/** Implements the authorization code flow with PKCE. `openid-client` makes all checks of answers and tokens. */
export function createProviderClient(provider: ModelLoginProvider, fetch: OidcClient['fetch']): ProviderClient {
  const findConfiguration = createDiscovery({ ...provider, fetch });
  const { scopes, redirectUri } = provider;
  const hasIdentity = scopes.includes('openid');
  return {
    async begin() {
      const client = await loadOidcClient();
      const configuration = await findConfiguration();
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      const address = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        ...(hasIdentity ? { nonce } : {}),
        // Without this prompt, providers give no lasting token.
        ...(scopes.includes('offline_access') ? { prompt: 'consent' } : {}),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { address: address.href, checks: { state, nonce, verifier } };
    },

    async finish(answer, { state, nonce, verifier }) {
      const client = await loadOidcClient();
      const configuration = await findConfiguration();
      const query = toQuery(answer, state, configuration.serverMetadata().issuer);
      const checks = {
        expectedState: state,
        pkceCodeVerifier: verifier,
        ...(hasIdentity ? { expectedNonce: nonce, idTokenExpected: true } : {}),
      };
      try {
        return toToken(await client.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), checks));
      } catch (error) {
        throw isUnreachable(error) ? providerUnavailable(error) : loginRefused(error);
      }
    },

    async refresh(refreshToken) {
      const client = await loadOidcClient();
      try {
        const token = toToken(await client.refreshTokenGrant(await findConfiguration(), refreshToken));
        return { ...token, refreshToken: token.refreshToken ?? refreshToken };
      } catch (error) {
        throw isUnreachable(error) ? providerUnavailable(error) : loginRefused(error);
      }
    },
  };
}

/** A code that was copied alone comes without state: the verifier, which no other login has, replaces it. */
function toQuery({ redirectUrl, code = '' }: ProviderAnswer, state: string, iss: string): string {
  if (redirectUrl !== undefined) return new URL(redirectUrl).search.slice(1);
  return new URLSearchParams({ code, state, iss }).toString();
}

function toToken(answer: TokenEndpointResponse & TokenEndpointResponseHelpers): ProviderToken {
  const claims = answer.claims();
  const account = claims?.email ?? claims?.sub;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresInSeconds: answer.expiresIn(),
    accountId: typeof account === 'string' ? account : undefined,
  };
}
