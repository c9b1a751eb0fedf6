import { AppError, isLoopbackHost } from '@weir/foundation';

export interface OwnAddressOptions {
  /** The address at which people reach the server, without a slash at its end. */
  readonly publicUrl: string | undefined;
  readonly listenHost: string;
  readonly basePath: string;
  /** Whether there is a page that asks the person. */
  readonly hasUserInterface: boolean;
}

/** The addresses that chat clients sign in with: they have to be those that the person has given them. */
export interface OwnAddress {
  /** Why no chat client can sign in; missing where they can. */
  readonly unavailableReason: string | undefined;
  /** The address of the server for a request with this `Host`, which is the name of the issuer; missing where it has none. */
  readonly issuerFor: (host: string | undefined) => string | undefined;
  /** Whether tokens for this address of tools are accepted. */
  readonly isOwnResource: (resource: string) => boolean;
}

export function createOwnAddress({ publicUrl, listenHost, basePath, hasUserInterface }: OwnAddressOptions): OwnAddress {
  const isLocal = publicUrl === undefined && isLoopbackHost(listenHost);
  const isEncrypted = publicUrl !== undefined && isProtected(publicUrl);
  const unavailableReason = hasUserInterface
    ? isLocal || isEncrypted
      ? undefined
      : 'Chat clients cannot sign in: WEIR_PUBLIC_URL is no https address, and other machines can reach this server.'
    : 'Chat clients cannot sign in: the web interface, which asks the person, is not served.';
  return {
    unavailableReason,
    issuerFor: (host) => {
      if (unavailableReason !== undefined) return undefined;
      if (publicUrl !== undefined) return publicUrl;
      const url = URL.parse(`http://${host ?? ''}${basePath}`);
      return url !== null && isLoopbackHost(url.hostname) ? `${url.origin}${basePath}` : undefined;
    },
    isOwnResource: (resource) => {
      if (unavailableReason !== undefined) return false;
      if (publicUrl !== undefined) return resource === resourceOf(publicUrl);
      const url = URL.parse(resource);
      return url !== null && isLoopbackHost(url.hostname) && resource === resourceOf(`${url.origin}${basePath}`);
    },
  };
}

/** The address of the tools. */
export function resourceOf(issuer: string): string {
  return `${issuer}/mcp`;
}

/** Throws `clients_unavailable` where no chat client can sign in. */
export function requireIssuer({ issuerFor, unavailableReason }: OwnAddress, host: string | undefined): string {
  const issuer = issuerFor(host);
  if (issuer !== undefined) return issuer;
  const message = unavailableReason ?? 'Chat clients cannot sign in at this address: set WEIR_PUBLIC_URL.';
  throw new AppError('invalid_request', message, { reason: 'clients_unavailable' });
}

/** Codes and tokens are sent there. */
function isProtected(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || isLoopbackHost(hostname);
}
