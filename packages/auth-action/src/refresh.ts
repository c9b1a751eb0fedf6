import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { oidcTokenCall } from './cloud/oidc-token';
import { readToken } from './cloud/token-responses';
import { createTransport } from './cloud/transport';
import { refreshTokens, type RefreshConfig } from './publish/clouds/refresh-tokens';

// It is a separate process, which main starts with a configuration in this variable.
const config = JSON.parse(String(process.env.WEIR_REFRESH)) as RefreshConfig;
const now = Date.now;

void refreshTokens({
  config,
  now,
  sleep,
  requestOidcToken: async (audience) => {
    const { userAgent } = config;
    const deadline = now() + 60_000;
    const options = {
      env: process.env,
      userAgent,
      requestReason: undefined,
      deadline,
      now,
      sleep,
      random: Math.random,
    };
    const call = oidcTokenCall(process.env, audience);
    const transport = createTransport({ ...options, debug: () => undefined });
    return readToken(call, await transport.send(call), 'value');
  },
});
