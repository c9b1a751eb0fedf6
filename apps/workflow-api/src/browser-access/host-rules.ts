import { isIP } from 'node:net';
import { isLoopbackHost } from '@weir/foundation';

/**
 * The names that this server answers to. A page whose name was made to resolve to this server's address must not be
 * one of them.
 */
export interface HostRules {
  /** Whether a request with this `Host` header is answered. */
  acceptsHost(header: string): boolean;
  /** Whether a page of this `Origin` may change something by a request with this `Host` header. */
  acceptsOrigin(origin: string, host: string): boolean;
}

export interface HostRulesOptions {
  /** The address or name that the server listens on. */
  readonly listenHost: string;
  /** Further names; `.example.com` stands for all below it, `*` for any. */
  readonly allowed: readonly string[];
}

export function createHostRules({ listenHost, allowed }: HostRulesOptions): HostRules {
  // The other names are accepted anyway, and as origins only if equal.
  const listed = [listenHost, ...allowed]
    .map((entry) => entry.toLowerCase())
    .filter((entry) => !isAddress(entry) && !isLoopbackName(entry));
  const isListed = (name: string): boolean =>
    listed.some((entry) => (entry.startsWith('.') ? name.endsWith(entry) : name === entry));
  return {
    acceptsHost: (header) => {
      const name = readHost(header)?.hostname;
      if (name === undefined) return false;
      return allowed.includes('*') || isAddress(name) || isLoopbackName(name) || isListed(name);
    },
    acceptsOrigin: (origin, header) => {
      const page = readOrigin(origin);
      if (page === undefined) return false;
      // The scheme is not compared: a proxy may have ended TLS. Listed names are meant for proxies that send a Host of their own;
      // addresses and loopback names count only if equal, because every program of a machine may serve pages there.
      return page.host === readHost(header, page.protocol)?.host || isListed(page.hostname);
    },
  };
}

/** An address cannot be rebound: the browser that names it goes there. */
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function isLoopbackName(name: string): boolean {
  return isLoopbackHost(name) || name.endsWith('.localhost');
}

/** Leaves out the default port of the protocol, as browsers do. */
function readHost(header: string, protocol = 'http:'): URL | undefined {
  if (!/^[^\s/?#@\\]+$/.test(header)) return undefined;
  return parseUrl(`${protocol}//${header}`);
}

function readOrigin(origin: string): URL | undefined {
  const url = parseUrl(origin);
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

function parseUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null) return undefined;
  // A name may end with the dot of the root.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url;
}
