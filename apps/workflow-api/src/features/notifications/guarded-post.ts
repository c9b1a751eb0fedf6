import http from 'node:http';
import https from 'node:https';
import {
  AddressNotAllowed,
  guardedLookup,
  isForbiddenHost,
  type GuardedLookupOptions,
} from '../../adapters/guarded-lookup';

export interface PostResult {
  /** Missing when there was no answer. */
  readonly status?: number;
  /** The reason of the failure; missing when the post was received. */
  readonly problem?: string;
}

export interface PostOptions extends GuardedLookupOptions {
  /** Milliseconds. Default: 15,000. */
  readonly timeoutMs?: number;
}

/**
 * Posts JSON. The name is resolved once, and the connection is made to the checked addresses, so that the name cannot
 * lead to another address afterwards. Redirects are not followed: they are a failure, like every status but 2xx.
 */
export function guardedPost(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { allowedNetworks, timeoutMs = 15_000, resolve }: PostOptions,
): Promise<PostResult> {
  const target = new URL(url);
  if (isForbiddenHost(target, allowedNetworks)) return Promise.resolve({ problem: notAllowed });
  return new Promise((settle) => {
    const request = (target.protocol === 'https:' ? https : http).request(
      target,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        lookup: guardedLookup({ allowedNetworks, resolve }),
      },
      ({ statusCode = 0 }) => {
        // The body of the answer is not needed and may be endless.
        request.destroy();
        const isReceived = statusCode >= 200 && statusCode < 300;
        settle({ status: statusCode, ...(isReceived ? {} : { problem: `it answered ${statusCode}` }) });
      },
    );
    request.on('error', (error: Error) => settle({ problem: describe(error) }));
    request.end(body);
  });
}

const notAllowed = 'its address is not public and not in WEIR_EVENT_NETWORKS';

function describe(error: Error): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'it did not answer in time';
  return error instanceof AddressNotAllowed
    ? notAllowed
    : `it could not be reached (${'code' in error ? String(error.code) : error.name})`;
}
