import { isAppError } from '@weir/errors';
import type { Endpoints } from '../settings';
import type { Workflow } from '../workflow';
import type { Answer, Call } from './call';
import type { Cloud, GrantedToken } from './cloud';
import { oidcTokenCall } from './oidc-token';
import { readExpireTime, readExpiresIn, readToken } from './token-answers';
import { createTokenCalls, type ExchangeOptions } from './token-calls';
import type { Transport } from './transport';

export interface CloudOptions {
  readonly workflow: Pick<Workflow, 'env' | 'hide'>;
  readonly endpoints: Endpoints;
  readonly transport: Transport;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const skewPauseMs = 1000;

/** The token services behind one transport. Every token is hidden in the logs before anything else happens to it. */
export function createCloud({ workflow, endpoints, transport, now }: CloudOptions): Cloud {
  const calls = createTokenCalls(endpoints);
  const hide = hideOnce(workflow);
  let oidcToken: string | undefined;

  /** Hides the token of the answer first of all: what follows may fail and tell of it. */
  const tokenOf = (call: Call, answer: Answer, field: string) => hide(readToken(call, answer, field));

  const fetchOidcToken = async (audience: string): Promise<string> => {
    const call = oidcTokenCall(workflow.env, audience);
    call.secrets.forEach(hide);
    const token = tokenOf(call, await transport.send(call), 'value');
    oidcToken = token;
    return token;
  };
  const sendForOauthToken = async (call: Call): Promise<GrantedToken> => {
    const answer = await transport.send(call);
    const token = tokenOf(call, answer, 'access_token');
    return { token, expiresAt: readExpiresIn(call, answer, now()) };
  };
  const exchangeOnce = (options: ExchangeOptions) => sendForOauthToken(calls.exchange(options));

  return {
    exchange: async ({ audience, provider, scope }) => {
      const first = { provider, scope, oidcToken: await fetchOidcToken(audience) };
      try {
        return await exchangeOnce(first);
      } catch (error) {
        if (!isStaleToken(error)) throw error;
      }
      const second = { ...first, oidcToken: await fetchOidcToken(audience) };
      // The new token is as far in the future as the old one was, unless it is given a moment to come of age.
      await transport.pause(skewPauseMs);
      return exchangeOnce(second);
    },
    generateAccessToken: async (request, bearer) => {
      const call = calls.generateAccessToken(request, hide(bearer));
      const answer = await transport.send(call);
      const token = tokenOf(call, answer, 'accessToken');
      return { token, expiresAt: readExpireTime(call, answer) };
    },
    generateIdToken: async (request, bearer) => {
      const call = calls.generateIdToken(request, hide(bearer));
      return { token: tokenOf(call, await transport.send(call), 'token'), expiresAt: undefined };
    },
    signJwt: async (request, bearer) => {
      const call = calls.signJwt(request, hide(bearer));
      return tokenOf(call, await transport.send(call), 'signedJwt');
    },
    redeemAssertion: (assertion) => sendForOauthToken(calls.redeemAssertion(hide(assertion))),
    get oidcToken() {
      return oidcToken;
    },
  };
}

// Every hidden text is a line in the log of the runner, and a bearer comes by several times.
function hideOnce(workflow: Pick<Workflow, 'hide'>): (secret: string) => string {
  const seen = new Set<string>();
  return (secret) => {
    if (!seen.has(secret)) workflow.hide(secret);
    seen.add(secret);
    return secret;
  };
}

/** The exchange refused the OIDC token for its times alone. Nothing but the sentence of the service tells. */
function isStaleToken(error: unknown): boolean {
  if (!isAppError(error) || error.reason !== 'sts_refused') return false;
  const { status, googleReason, description } = { ...error.details };
  return (
    status === 400 &&
    googleReason === 'invalid_grant' &&
    /\bexpired?\b|in the future|\bstale\b|not yet valid/i.test(String(description))
  );
}
