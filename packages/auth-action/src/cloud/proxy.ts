import { AppError, isLoopbackHost } from '@weir/foundation';
import { parseUrl } from './address';
import { isDirect } from './no-proxy';

export interface Proxy {
  /** The URL has no credentials, so that logging it leaks none. */
  readonly url: URL;
  /** The Proxy-Authorization header. */
  readonly authorization: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for an https URL according to HTTPS_PROXY and NO_PROXY; `undefined` for loopback addresses. */
export function findProxy(url: URL, env: Environment): Proxy | undefined {
  if (isLoopbackHost(url.hostname)) return undefined;
  const address = readVariable(env, 'https_proxy');
  return address === '' || isDirect(readVariable(env, 'no_proxy'), url) ? undefined : parseProxy(address);
}

/** The lower-case name wins, as in curl. */
function readVariable(env: Environment, name: string): string {
  return [env[name], env[name.toUpperCase()]].find((value) => value !== undefined && value !== '') ?? '';
}

function parseProxy(address: string): Proxy {
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`);
  if (url === undefined) throw invalidProxy('is not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalidProxy(`has the scheme ${url.protocol.slice(0, -1)}; only http and https are supported`);
  }
  const authorization = buildAuthorization(url);
  url.username = '';
  url.password = '';
  return { url, authorization };
}

function buildAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(credentials).toString('base64')}`;
  } catch {
    throw invalidProxy('has a user name or password with an unescaped "%"; write it as "%25"');
  }
}

// The message does not contain the URL, which may contain a password.
function invalidProxy(why: string): AppError {
  return new AppError('invalid_request', `The proxy URL in HTTPS_PROXY ${why}.`, {
    reason: 'proxy_failed',
  });
}
