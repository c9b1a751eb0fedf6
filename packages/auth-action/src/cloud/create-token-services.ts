import { isAppError } from '@weir/foundation';
import type { Endpoints } from '../inputs/settings';
import type { ActionsRuntime } from '../runner/actions-runtime';
import type { ServiceResponse, ServiceCall } from './service-call';
import type { TokenServices, GrantedToken } from './token-services';
import { readOidcTokenFile, type OidcSource } from '../inputs/oidc-source';
import { oidcTokenCall } from './oidc-token';
import { readExpireTime, readExpiresIn, readToken } from './token-responses';
import { createTokenCalls, type ExchangeOptions } from './token-calls';
import type { Transport } from './transport';

export interface TokenServicesOptions {
  readonly runtime: Pick<ActionsRuntime, 'env' | 'mask'>;
  readonly endpoints: Endpoints;
  readonly transport: Transport;
  readonly oidcSource: OidcSource;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const clockSkewPauseMs = 1000;

/** Masks every token in the logs before it is used or a later check can fail. */
export function createTokenServices(options: TokenServicesOptions): TokenServices {
  const { runtime, endpoints, transport, oidcSource, now } = options;
  const calls = createTokenCalls(endpoints);
  const mask = createMaskOnce(runtime);
  let oidcToken: string | undefined;

  const readMaskedToken = (call: ServiceCall, answer: ServiceResponse, field: string) =>
    mask(readToken(call, answer, field));

  const requestOidcToken = async (audience: string): Promise<string> => {
    const call = oidcTokenCall(runtime.env, audience);
    call.secrets.forEach(mask);
    return readMaskedToken(call, await transport.send(call), 'value');
  };
  const fetchOidcToken = async (audience: string): Promise<string> => {
    if (oidcSource.kind === 'runner') oidcToken = await requestOidcToken(audience);
    else oidcToken = mask(oidcSource.kind === 'token' ? oidcSource.token : readOidcTokenFile(oidcSource.path));
    return oidcToken;
  };
  const sendForOauthToken = async (call: ServiceCall): Promise<GrantedToken> => {
    const answer = await transport.send(call);
    const token = readMaskedToken(call, answer, 'access_token');
    return { token, expiresAt: readExpiresIn(call, answer, now()) };
  };
  const exchangeOnce = (options: ExchangeOptions) => sendForOauthToken(calls.exchange(options));

  return {
    exchange: async ({ audience, provider, scope }) => {
      const first = { provider, scope, oidcToken: await fetchOidcToken(audience) };
      try {
        return await exchangeOnce(first);
      } catch (error) {
        if (!isTokenTimeError(error)) throw error;
      }
      const second = { ...first, oidcToken: await fetchOidcToken(audience) };
      // With a skewed clock the new token would be as early as the old one, so it needs time to become valid.
      await transport.pause(clockSkewPauseMs);
      return exchangeOnce(second);
    },
    generateAccessToken: async (request, bearer) => {
      const call = calls.generateAccessToken(request, mask(bearer));
      const answer = await transport.send(call);
      const token = readMaskedToken(call, answer, 'accessToken');
      return { token, expiresAt: readExpireTime(call, answer) };
    },
    generateIdToken: async (request, bearer) => {
      const call = calls.generateIdToken(request, mask(bearer));
      return { token: readMaskedToken(call, await transport.send(call), 'token'), expiresAt: undefined };
    },
    signJwt: async (request, bearer) => {
      const call = calls.signJwt(request, mask(bearer));
      return readMaskedToken(call, await transport.send(call), 'signedJwt');
    },
    exchangeAssertion: (assertion) => sendForOauthToken(calls.exchangeAssertion(mask(assertion))),
    requestOidcToken: fetchOidcToken,
    get oidcToken() {
      return oidcToken;
    },
  };
}

// Each mask adds a line to the runner's log, and a bearer token is used several times.
function createMaskOnce(runtime: Pick<ActionsRuntime, 'mask'>): (secret: string) => string {
  const seen = new Set<string>();
  return (secret) => {
    if (!seen.has(secret)) runtime.mask(secret);
    seen.add(secret);
    return secret;
  };
}

// The token service reports an expired or not yet valid token only in the text of its error.
function isTokenTimeError(error: unknown): boolean {
  if (!isAppError(error) || error.reason !== 'sts_refused') return false;
  const { status, googleReason, description } = { ...error.details };
  return (
    status === 400 &&
    googleReason === 'invalid_grant' &&
    /\bexpired?\b|in the future|\bstale\b|not yet valid/i.test(String(description))
  );
}
