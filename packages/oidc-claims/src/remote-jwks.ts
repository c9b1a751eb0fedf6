import { isLoopbackHost, readBounded, untilAborted } from '@weir/foundation';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { oidcFailure } from './oidc-errors';

/** The part of `fetch` that is used; the global one fits. */
export type FetchJson = (
  url: string,
  init: { method: 'GET'; headers: Headers; redirect: 'manual'; signal: AbortSignal },
) => Promise<Response>;

export interface RemoteJwksOptions {
  /** The URL where the issuer publishes its keys: `https`, or `http` on a loopback address. */
  readonly url: string;
  readonly fetch: FetchJson;
  /** The time limit in milliseconds of one response including its body. Default 5000. */
  readonly timeoutMs?: number;
  /** How long fetched keys are cached. Default 600. */
  readonly cacheMaxAgeSeconds?: number;
  /**
   * The time after a fetch in which an unknown key id does not cause another one, so that invalid ids cannot flood the
   * issuer with requests. A rotated key is accepted at the latest after this time. Default 30.
   */
  readonly cooldownSeconds?: number;
  /** Default 262144 (256 KiB). */
  readonly maxResponseBytes?: number;
}

/** Finds the key for a token header. Reuse one per issuer, because it contains the cache. */
export type RemoteJwks = JWTVerifyGetKey;

/**
 * The key set of an issuer: fetched on first use, cached, and fetched again for an unknown key id after the cooldown.
 * Parallel calls share one request. Redirects are not followed, failures are not cached, and expired keys are never
 * used.
 *
 * Fails at once with `internal`/`options_invalid` for another kind of URL, or a bound that is not a whole number from 0.
 */
export function createRemoteJwks(options: RemoteJwksOptions): RemoteJwks {
  const { timeoutMs = 5000, cacheMaxAgeSeconds = 600, cooldownSeconds = 30, maxResponseBytes = 256 * 1024 } = options;
  checkWholeNumbers({ timeoutMs, cacheMaxAgeSeconds, cooldownSeconds, maxResponseBytes });
  return createRemoteJWKSet(checkUrl(options.url), {
    timeoutDuration: timeoutMs,
    cacheMaxAge: cacheMaxAgeSeconds * 1000,
    cooldownDuration: cooldownSeconds * 1000,
    // Raced as well as passed on: an injected fetch may ignore its signal.
    [customFetch]: (url, init) => untilAborted(fetchBounded(options.fetch, url, init, maxResponseBytes), init.signal),
  });
}

// A limit that is NaN would allow everything.
function checkWholeNumbers(values: Readonly<Record<string, number>>): void {
  for (const [option, value] of Object.entries(values)) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw oidcFailure('options_invalid', `The option ${option} is not a whole number from 0.`, {
        details: { option },
      });
    }
  }
}

function checkUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))) return url;
  throw oidcFailure('options_invalid', 'The key set URL is neither https nor http on a loopback address.');
}

async function fetchBounded(
  fetch: FetchJson,
  url: string,
  init: Parameters<FetchJson>[1],
  maxBytes: number,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (cause) {
    if (init.signal.aborted) throw cause;
    throw oidcFailure('jwks_unavailable', 'The issuer could not be reached.', { cause });
  }
  if (response.status !== 200) {
    await response.body?.cancel();
    throw oidcFailure(
      'jwks_unavailable',
      `The issuer responded with status ${response.status} to the request for its keys.`,
    );
  }
  const body = await readBounded(response.body ?? [], maxBytes);
  if (body === undefined) throw oidcFailure('jwks_too_large', `The issuer's key set is larger than ${maxBytes} bytes.`);
  return new Response(body, { status: 200 });
}
