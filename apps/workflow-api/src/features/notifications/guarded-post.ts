import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface PostResult {
  /** Missing when there was no answer. */
  readonly status?: number;
  /** Missing when it was received. */
  readonly problem?: string;
}

type Resolved = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

export interface PostOptions {
  /** Networks that may be reached although they are not public: `10.0.0.0/8`. */
  readonly allowedNetworks: readonly string[];
  /** Default 15,000. */
  readonly timeoutMs?: number;
  /** Default: that of the system. */
  readonly resolve?: (name: string, options: LookupAllOptions, done: Resolved) => void;
}

/** Whether events may be sent to an address: to public ones, and to those of the allowed networks. */
export function isAllowedAddress(address: string, allowedNetworks: readonly string[]): boolean {
  // An IPv4 address in the form of IPv6 is what it holds.
  const parsed = ipaddr.process(address.replace(/^\[|\]$/g, ''));
  if (parsed.range() === 'unicast') return true;
  return allowedNetworks.some((network) => {
    const [range, bits] = ipaddr.parseCIDR(network);
    return range.kind() === parsed.kind() && parsed.match([range, bits] as never);
  });
}

/**
 * Posts JSON. The name is resolved once, and the connection is made to the addresses that were checked, so that a name
 * cannot mean another address afterwards. Redirects are not followed: they are a failure, as every status but 2xx is.
 */
export function guardedPost(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { allowedNetworks, timeoutMs = 15_000, resolve = lookup }: PostOptions,
): Promise<PostResult> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  // The lookup is not asked about an address.
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
        // What it says does not matter and may be endless.
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
  // One address that is not allowed is enough: which of them is taken is not up to this check.
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
