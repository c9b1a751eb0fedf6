import { AppError } from '@weir/errors';

/** 127.0.0.0/8, `[::1]`, `localhost` and names below it: nothing that leaves the machine. */
export function isLoopback(url: URL): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:[^.]+\.)*localhost)$/.test(url.hostname);
}

/** Undefined for what is not a URL. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
}

/** The address, if a token may be sent there: over TLS, or without it to this machine only. */
export function safeAddress(address: string): URL {
  const url = parseUrl(address);
  if (url === undefined) throw unsafe('One of the addresses is not a URL.');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return url;
  throw unsafe(`Tokens are not sent to ${url.protocol}//${url.host}: only https is safe, or http to this machine.`);
}

function unsafe(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'address_unsafe' });
}
