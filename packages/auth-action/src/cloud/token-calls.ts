import type { Endpoints } from '../settings';
import { safeAddress } from './address';
import type { Call, ServiceName } from './call';
import type { AccessTokenRequest, IdTokenRequest, SignRequest } from './cloud';
import { accountName, providerAudience } from './identifiers';

export interface ExchangeOptions {
  readonly provider: string;
  readonly scope: string;
  readonly oidcToken: string;
}

/** The calls to the cloud, as data. */
export interface TokenCalls {
  exchange(options: ExchangeOptions): Call;
  generateAccessToken(request: AccessTokenRequest, bearer: string): Call;
  generateIdToken(request: IdTokenRequest, bearer: string): Call;
  signJwt(request: SignRequest, bearer: string): Call;
  redeemAssertion(assertion: string): Call;
}

const urn = 'urn:ietf:params:oauth';

export function createTokenCalls(endpoints: Endpoints): TokenCalls {
  const iamCall = (method: string, account: string, bearer: string, body: object): Call => ({
    ...jsonCall(
      'iam',
      method,
      `${endpoints.iamCredentials}/v1/projects/-/serviceAccounts/${segment(account)}:${method}`,
      body,
    ),
    headers: { ...jsonHeaders, Authorization: `Bearer ${bearer}` },
    secrets: [bearer],
  });
  return {
    exchange: ({ provider, scope, oidcToken }) => ({
      ...jsonCall('sts', 'token exchange', `${endpoints.sts}/v1/token`, {
        audience: providerAudience(provider),
        grantType: `${urn}:grant-type:token-exchange`,
        requestedTokenType: `${urn}:token-type:access_token`,
        scope,
        subjectTokenType: `${urn}:token-type:jwt`,
        subjectToken: oidcToken,
      }),
      secrets: [oidcToken],
    }),
    generateAccessToken: ({ serviceAccount, lifetimeSeconds, scopes, delegates }, bearer) =>
      iamCall('generateAccessToken', serviceAccount, bearer, {
        ...chain(delegates),
        scope: scopes,
        lifetime: `${lifetimeSeconds}s`,
      }),
    generateIdToken: ({ serviceAccount, audience, includeEmail, delegates }, bearer) =>
      iamCall('generateIdToken', serviceAccount, bearer, { ...chain(delegates), audience, includeEmail }),
    // IAM wants the claims as a text of JSON: the one place where they are serialised a second time.
    signJwt: ({ serviceAccount, claims, delegates }, bearer) =>
      iamCall('signJwt', serviceAccount, bearer, { ...chain(delegates), payload: JSON.stringify(claims) }),
    redeemAssertion: (assertion) =>
      formCall('assertion exchange', `${endpoints.oauth2}/token`, {
        grant_type: `${urn}:grant-type:jwt-bearer`,
        assertion,
      }),
  };
}

/** Takes a token back. The address is that of the OAuth 2.0 service, with `/revoke`. */
export function revocationCall(address: string, token: string): Call {
  return formCall('revocation', address, { token });
}

const jsonHeaders = { 'Content-Type': 'application/json' };

function jsonCall(service: ServiceName, kind: string, address: string, body: object): Call {
  const text = JSON.stringify(body);
  return { service, kind, method: 'POST', url: safeAddress(address), headers: jsonHeaders, body: text, secrets: [] };
}

function formCall(kind: string, address: string, fields: Readonly<Record<string, string>>): Call {
  return {
    service: 'oauth',
    kind,
    method: 'POST',
    url: safeAddress(address),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    secrets: Object.values(fields),
  };
}

function chain(delegates: readonly string[]): { readonly delegates?: readonly string[] } {
  return delegates.length === 0 ? {} : { delegates: delegates.map((delegate) => accountName(delegate)) };
}

// The services read "@" in a path as it is, and audit logs are easier to read with it.
function segment(text: string): string {
  return encodeURIComponent(text).replaceAll('%40', '@');
}
