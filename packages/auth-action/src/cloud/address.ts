import { AppError, isLoopbackHost } from '@weir/foundation';

export function parseUrl(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
}

/** Parses a URL that a token may be sent to: https, or http on a loopback address. Fails with `address_unsafe`. */
export function parseSafeUrl(address: string): URL {
  const url = parseUrl(address);
  if (url === undefined) throw unsafeUrl('A service address is not a valid URL.');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))) return url;
  throw unsafeUrl(`Tokens are not sent to ${url.protocol}//${url.host}: use https, or http on a loopback address.`);
}

function unsafeUrl(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'address_unsafe' });
}
