import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface PostResult {
  /** Missing when there was no answer. */
  readonly status?: number;
  /** The reason of the failure; missing when the post was received. */
  readonly problem?: string;
}

type Resolved = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

export interface PostOptions {
  /** Networks that may be reached although they are not public, such as `10.0.0.0/8`. */
  readonly allowedNetworks: readonly string[];
  /** Milliseconds. Default: 15,000. */
  readonly timeoutMs?: number;
  /** Default: the lookup of the system. */
  readonly resolve?: (name: string, options: LookupAllOptions, done: Resolved) => void;
}

/** Whether events may be sent to an address: it is public, or in an allowed network. */
export function isAllowedAddress(address: string, allowedNetworks: readonly string[]): boolean {
  // An IPv4 address in the form of IPv6 is checked as IPv4.
  const parsed = ipaddr.process(address.replace(/^\[|\]$/g, ''));
  if (parsed.range() === 'unicast') return true;
  return allowedNetworks.some((network) => {
    const [range, bits] = ipaddr.parseCIDR(network);
    return range.kind() === parsed.kind() && parsed.match([range, bits] as never);
  });
}

/**
 * Posts JSON. The name is resolved once, and the connection is made to the checked addresses, so that the name cannot
 * lead to another address afterwards. Redirects are not followed: they are a failure, like every status but 2xx.
 */
export function guardedPost(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { allowedNetworks, timeoutMs = 15_000, resolve = lookup }: PostOptions,
): Promise<PostResult> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  // The lookup is not called for an address.
  if (isIP(host) !== 0 && !isAllowedAddress(host, allowedNetworks)) return Promise.resolve({ problem: notAllowed });
  return new Promise((settle) => {
    const request = (target.protocol === 'https:' ? https : http).request(
      target,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        lookup: (name, options, done) => {
          resolve(name, { ...options, all: true }, (error, addresses) => {
            answerLookup(error, addresses, { all: options.all === true, allowedNetworks }, done);
          });
        },
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

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

function answerLookup(
  error: Error | null,
  addresses: LookupAddress[],
  { all, allowedNetworks }: { readonly all: boolean; readonly allowedNetworks: readonly string[] },
  done: Done,
): void {
  const [first] = error === null ? addresses : [];
  // A single forbidden address is refused, because this check does not control which address is chosen.
  if (error !== null || first === undefined) done(error ?? new Error(notAllowed), '');
  else if (!addresses.every(({ address }) => isAllowedAddress(address, allowedNetworks)))
    done(new Error(notAllowed), '');
  else if (all) done(null, addresses);
  else done(null, first.address, first.family);
}

function describe(error: Error): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'it did not answer in time';
  return error.message === notAllowed
    ? notAllowed
    : `it could not be reached (${'code' in error ? String(error.code) : error.name})`;
}
