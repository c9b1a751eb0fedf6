import { AppError } from '@weir/foundation';
import { readBoundedFile, smallFileBytes } from '../runner/read-bounded-file';

/** The source of the job's OIDC token: the runner, or another CI system as a text or a file that it renews. */
export type OidcSource =
  | { readonly kind: 'runner' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'file'; readonly path: string };

const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export function isOidcToken(text: string): boolean {
  return tokenForm.test(text);
}

/** Fails with `oidc_token_file_unreadable`. */
export function readOidcTokenFile(path: string): string {
  const text = readFile(path).trim();
  if (isOidcToken(text)) return text;
  throw unreadable(path, 'it does not contain one OIDC token', undefined);
}

function readFile(path: string): string {
  try {
    return readBoundedFile(path, smallFileBytes);
  } catch (cause) {
    throw unreadable(path, String(cause), cause);
  }
}

function unreadable(path: string, why: string, cause: unknown): AppError {
  return new AppError('invalid_request', `The OIDC token could not be read from "${path}": ${why}.`, {
    reason: 'oidc_token_file_unreadable',
    cause,
  });
}
