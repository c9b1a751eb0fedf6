import { decodeJwt, decodeProtectedHeader } from 'jose';
import { oidcFailure } from './oidc-errors';

/** The largest token read, in bytes. CI tokens are 1 to 3 KiB. */
export const maxTokenBytes = 16 * 1024;

/** What a token says about itself. Nothing of it is proven. */
export interface UnverifiedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * Reads a token without checking its signature, times or claim types. For diagnostics only ("who does this job say
 * it is"): never decide anything by the result.
 *
 * Fails with `unauthenticated` and reason `token_too_large` (over {@link maxTokenBytes}) or `token_malformed`.
 */
export function decodeClaimsUnverified(token: string): UnverifiedToken {
  checkTokenSize(token);
  try {
    return { header: { ...decodeProtectedHeader(token) }, claims: decodeJwt(token) };
  } catch (cause) {
    throw oidcFailure('token_malformed', 'The text is not a signed JSON web token.', { cause });
  }
}

/** A token is ASCII, so characters are bytes; one that is not ASCII is refused by the decoder. */
export function checkTokenSize(token: string): void {
  if (token.length > maxTokenBytes) {
    throw oidcFailure('token_too_large', `The token is larger than ${maxTokenBytes} bytes.`);
  }
}
