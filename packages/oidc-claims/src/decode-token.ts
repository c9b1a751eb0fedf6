import { decodeJwt, decodeProtectedHeader } from 'jose';
import { oidcFailure } from './oidc-errors';

/** The maximum size of a token in bytes. CI tokens have 1 to 3 KiB. */
export const maxTokenBytes = 16 * 1024;

/** The unverified content of a token. */
export interface UnverifiedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * Decodes a token without checking its signature, times or claim types. For diagnostics only: never base a decision on
 * the result.
 *
 * Fails with `unauthenticated` and reason `token_too_large` (over {@link maxTokenBytes}) or `token_malformed`.
 */
export function decodeClaimsUnverified(token: string): UnverifiedToken {
  checkTokenSize(token);
  try {
    return { header: { ...decodeProtectedHeader(token) }, claims: decodeJwt(token) };
  } catch (cause) {
    throw oidcFailure('token_malformed', 'The string is not a signed JSON web token.', { cause });
  }
}

/** A token is ASCII, so characters are bytes; the decoder refuses other tokens. */
export function checkTokenSize(token: string): void {
  if (token.length > maxTokenBytes) {
    throw oidcFailure('token_too_large', `The token is larger than ${maxTokenBytes} bytes.`);
  }
}
