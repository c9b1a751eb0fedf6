import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

type Resolved = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

export interface GuardedLookupOptions {
  /** Networks that may be reached although they are not public, such as `10.0.0.0/8`. */
  readonly allowedNetworks: readonly string[];
  /** Default: the lookup of the system. */
  readonly resolve?: ((name: string, options: LookupAllOptions, done: Resolved) => void) | undefined;
}

/** Fails the lookup of a name that leads to an address that may not be reached. */
export class AddressNotAllowed extends Error {}

/** Whether a request may be sent to an address: it is public, or in an allowed network. */
export function isAllowedAddress(address: string, allowedNetworks: readonly string[]): boolean {
  // An IPv4 address in the form of IPv6 is checked as IPv4.
  const parsed = ipaddr.process(address.replace(/^\[|\]$/g, ''));
  if (parsed.range() === 'unicast') return true;
  return allowedNetworks.some((network) => {
    const [range, bits] = ipaddr.parseCIDR(network);
    return range.kind() === parsed.kind() && parsed.match([range, bits] as never);
  });
}

/** Whether the host of an URL is an address that may not be reached; Node looks up no address. */
export function isForbiddenHost({ hostname }: URL, allowedNetworks: readonly string[]): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isAllowedAddress(host, allowedNetworks);
}

/**
 * Resolves a name once, so that the connection is made to the checked addresses and the name cannot lead to another one
 * afterwards.
 */
export function guardedLookup({ allowedNetworks, resolve = lookup }: GuardedLookupOptions): LookupFunction {
  return (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const [first] = error === null ? addresses : [];
      // A single forbidden address is refused, because this check does not control which address is chosen.
      if (error !== null || first === undefined) done(error ?? new AddressNotAllowed(), '');
      else if (!addresses.every(({ address }) => isAllowedAddress(address, allowedNetworks)))
        done(new AddressNotAllowed(), '');
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}
