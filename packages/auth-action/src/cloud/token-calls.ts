import type { Endpoints } from '../inputs/settings';
import { parseSafeUrl } from './address';
import type { ServiceCall, ServiceName } from './service-call';
import type { AccessTokenRequest, IdTokenRequest, SignJwtRequest } from './token-services';
import { accountName, providerAudience } from '../inputs/identifiers';

export interface ExchangeOptions {
  readonly provider: string;
  readonly scope: string;
  readonly oidcToken: string;
}

/** Builds the requests to the token services. */
export interface TokenCalls {
  exchange(options: ExchangeOptions): ServiceCall;
  generateAccessToken(request: AccessTokenRequest, bearer: string): ServiceCall;
  generateIdToken(request: IdTokenRequest, bearer: string): ServiceCall;
  signJwt(request: SignJwtRequest, bearer: string): ServiceCall;
  exchangeAssertion(assertion: string): ServiceCall;
}

const urn = 'urn:ietf:params:oauth';

export function createTokenCalls(endpoints: Endpoints): TokenCalls {
  const iamCall = (method: string, account: string, bearer: string, body: object): ServiceCall => ({
    ...jsonCall(
      'iam',
      method,
      `${endpoints.iamCredentials}/v1/projects/-/serviceAccounts/${encodeSegment(account)}:${method}`,
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
        ...toDelegates(delegates),
        scope: scopes,
        lifetime: `${lifetimeSeconds}s`,
      }),
    generateIdToken: ({ serviceAccount, audience, includeEmail, delegates }, bearer) =>
      iamCall('generateIdToken', serviceAccount, bearer, { ...toDelegates(delegates), audience, includeEmail }),
    // IAM expects the claims as a JSON string within the JSON body.
    signJwt: ({ serviceAccount, claims, delegates }, bearer) =>
      iamCall('signJwt', serviceAccount, bearer, { ...toDelegates(delegates), payload: JSON.stringify(claims) }),
    exchangeAssertion: (assertion) =>
      formCall('assertion exchange', `${endpoints.oauth2}/token`, {
        grant_type: `${urn}:grant-type:jwt-bearer`,
        assertion,
      }),
  };
}

/** The address is that of the OAuth 2.0 service, including `/revoke`. */
export function revocationCall(address: string, token: string): ServiceCall {
  return formCall('revocation', address, { token });
}

const jsonHeaders = { 'Content-Type': 'application/json' };

function jsonCall(service: ServiceName, kind: string, address: string, body: object): ServiceCall {
  const text = JSON.stringify(body);
  return { service, kind, method: 'POST', url: parseSafeUrl(address), headers: jsonHeaders, body: text, secrets: [] };
}

function formCall(kind: string, address: string, fields: Readonly<Record<string, string>>): ServiceCall {
  return {
    service: 'oauth',
    kind,
    method: 'POST',
    url: parseSafeUrl(address),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    secrets: Object.values(fields),
  };
}

function toDelegates(delegates: readonly string[]): { readonly delegates?: readonly string[] } {
  return delegates.length === 0 ? {} : { delegates: delegates.map((delegate) => accountName(delegate)) };
}

// An unescaped "@" is valid in a path, and audit logs are easier to read with it.
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll('%40', '@');
}
