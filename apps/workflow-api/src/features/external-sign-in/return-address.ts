import { returnAddressInvalid } from './external-sign-in-errors';

const origin = 'http://server.invalid';
/** A page may hold the request of a chat client, 2048 characters, most of them escaped. */
const maxLength = 8192;

/**
 * Returns the page to show after a sign-in, below the base path. Throws `return_address_invalid` for a text that a
 * browser could read as an address of another server.
 */
export function readReturnAddress(value: unknown): string {
  if (value === undefined) return '/';
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > maxLength) throw returnAddressInvalid();
  // The text is parsed as browsers do, for which `/\host`, `//host` and `/..//host` lead to another server.
  const url = URL.parse(value, origin);
  if (url?.origin !== origin || url.pathname.startsWith('//')) throw returnAddressInvalid();
  return `${url.pathname}${url.search}${url.hash}`;
}
