import type { Agent } from 'node:https';
import { HttpsProxyAgent } from 'https-proxy-agent';
import type { Proxy } from './proxy';

/** An agent that sends one request through a CONNECT tunnel. The signal also aborts a pending CONNECT. */
export function createTunnel({ url, authorization }: Proxy, signal: AbortSignal): Agent {
  const headers = authorization === undefined ? {} : { 'Proxy-Authorization': authorization };
  return new HttpsProxyAgent(url, { signal, headers, rejectUnauthorized: true });
}
