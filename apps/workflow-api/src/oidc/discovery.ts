import { AppError, isLoopbackHost, readBounded } from '@weir/foundation';
import type { Secret } from '@weir/service-kit';
import type { Configuration, CustomFetch } from 'openid-client';
import { LRUCache } from 'lru-cache';

/** The registration of this server as a client of a provider. */
export interface OidcClient {
  readonly issuer: string;
  readonly clientId: string;
  /** Missing for a public client, which PKCE alone protects. */
  readonly clientSecret: Secret | undefined;
  readonly fetch: typeof fetch;
}

const timeoutSeconds = 10;
/** Limits the time for an answer of a provider. */
export const providerTimeoutMs = timeoutSeconds * 1000;
const maxAnswerBytes = 1024 * 1024;
const metadataForMs = 60 * 60 * 1000;

/** The library is not loaded where nobody signs in this way. */
export const loadOidcClient = () => import('openid-client');

/** Reads the metadata of the provider; a failed look-up is tried again at the next use. Rejects with `provider_unavailable`. */
export function createDiscovery(options: OidcClient): () => Promise<Configuration> {
  const found = new LRUCache<'configuration', Promise<Configuration>>({ max: 1, ttl: metadataForMs });
  return () => {
    const cached = found.get('configuration');
    if (cached !== undefined) return cached;
    const discovered = discover(options).catch((cause: unknown) => {
      found.delete('configuration');
      throw providerUnavailable(cause);
    });
    found.set('configuration', discovered);
    return discovered;
  };
}

/** Reads the metadata of the provider again. */
export async function discover({ issuer, clientId, clientSecret, fetch }: OidcClient): Promise<Configuration> {
  const client = await loadOidcClient();
  const url = new URL(issuer);
  return client.discovery(
    url,
    clientId,
    {},
    clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret.reveal()),
    {
      timeout: timeoutSeconds,
      [client.customFetch]: withBoundedAnswers(fetch),
      execute: [
        // Signatures are verified although the token comes over TLS, because proxies in between are not trusted either.
        client.enableNonRepudiationChecks,
        // oxlint-disable-next-line typescript/no-deprecated -- marked so to be noticed; only on this machine
        ...(isLoopbackHost(url.hostname) ? [client.allowInsecureRequests] : []),
      ],
    },
  );
}

/** Returns a `fetch` that rejects answers of more than 1 MiB. */
export function withBoundedAnswers(fetch: OidcClient['fetch']): CustomFetch {
  return async (url, init) => {
    const { status, headers, body } = await fetch(url, init as RequestInit);
    const bytes = await readBounded(body ?? [], maxAnswerBytes);
    if (bytes === undefined) throw new TypeError(`The answer of ${new URL(url).origin} is too long.`);
    return new Response(bytes.length === 0 ? null : Buffer.from(bytes), { status, headers });
  };
}

/** Whether there was no answer, or one of a failing server; any other error means an invalid answer. */
export function isUnreachable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TypeError && !('code' in cause)) return true;
    if (['TimeoutError', 'AbortError'].includes(cause.name) || ('code' in cause && cause.code === 'OAUTH_TIMEOUT'))
      return true;
    if ('status' in cause && typeof cause.status === 'number' && cause.status >= 500) return true;
    if (cause.cause instanceof Response && cause.cause.status >= 500) return true;
  }
  return false;
}

export function providerUnavailable(cause: unknown): AppError {
  return new AppError('upstream_failed', 'The identity provider cannot be reached, or answers with errors.', {
    reason: 'provider_unavailable',
    cause,
  });
}
