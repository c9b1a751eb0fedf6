import type { Agent } from 'node:https';
import { AppError } from '@weir/errors';
import { isLoopback, parseUrl } from './address';

export interface Proxy {
  /** Without credentials: what is logged by accident then holds none. */
  readonly url: URL;
  /** The value of a Proxy-Authorization header. */
  readonly authorization: string | undefined;
}

/** The proxy for an address by HTTPS_PROXY and NO_PROXY of the process; what is on this machine is reached directly. */
export async function proxyFor(url: URL): Promise<Proxy | undefined> {
  if (isLoopback(url)) return undefined;
  const { getProxyForUrl } = await import('proxy-from-env');
  const address = getProxyForUrl(url.href);
  return address === '' ? undefined : parseProxy(address);
}

/** Opens a tunnel (CONNECT) for one request. The signal also ends a tunnel that is still being opened. */
export async function createTunnel({ url, authorization }: Proxy, signal: AbortSignal): Promise<Agent> {
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const headers = authorization === undefined ? {} : { 'Proxy-Authorization': authorization };
  return new HttpsProxyAgent(url, { signal, headers });
}

function parseProxy(address: string): Proxy {
  const url = parseUrl(address);
  if (url === undefined) throw unusable('is not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw unusable(`is of the kind ${url.protocol.slice(0, -1)}, and only http and https are supported`);
  }
  const authorization = authorizationOf(url);
  url.username = '';
  url.password = '';
  return { url, authorization };
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(credentials).toString('base64')}`;
  } catch {
    throw unusable('has a user name or password with a "%" that is not an escape; write it as "%25"');
  }
}

// The address itself is not shown: it often has a password in it.
function unusable(why: string): AppError {
  return new AppError('invalid_request', `The proxy address in the environment (HTTPS_PROXY or ALL_PROXY) ${why}.`, {
    reason: 'proxy_failed',
  });
}
