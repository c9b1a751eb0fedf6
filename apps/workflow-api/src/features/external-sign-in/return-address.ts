import { returnAddressInvalid } from './external-sign-in-errors';

const origin = 'http://server.invalid';
const maxLength = 2048;

/**
 * The page to show after a sign-in, below the base path. Throws `return_address_invalid` for anything that a browser
 * could take for an address of another server.
 */
export function readReturnAddress(value: unknown): string {
  if (value === undefined) return '/';
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > maxLength) throw returnAddressInvalid();
  // Parsed as browsers do, for whom `/\host`, `//host` and `/..//host` lead elsewhere.
  const url = URL.parse(value, origin);
  if (url?.origin !== origin || url.pathname.startsWith('//')) throw returnAddressInvalid();
  return `${url.pathname}${url.search}${url.hash}`;
}
