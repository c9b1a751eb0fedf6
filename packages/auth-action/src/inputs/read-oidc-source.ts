import { isOidcToken, type OidcSource } from './oidc-source';
import type { InputReader } from './input-reader';
import { invalidInput, validInput, type ParsedInput } from './parsed-input';
import { parsePath } from './texts';

export function readOidcSource(reader: InputReader, mask: (secret: string) => void): OidcSource {
  const token = reader.readOptional('oidc_token', (text) => parseOidcToken(text, mask));
  const file = reader.readOptional('oidc_token_file', parsePath);
  if (token !== undefined && file !== undefined) {
    reader.report(
      'oidc_token',
      invalidInput('oidc_token_ambiguous', 'is set, and so is oidc_token_file. Set only one of them.'),
    );
  }
  if (token !== undefined) return { kind: 'token', token };
  return file === undefined ? { kind: 'runner' } : { kind: 'file', path: file };
}

/** The message does not repeat the text, which may be a secret. */
function parseOidcToken(text: string, mask: (secret: string) => void): ParsedInput<string> {
  mask(text);
  if (isOidcToken(text)) return validInput(text);
  return invalidInput(
    'oidc_token_invalid',
    `has ${text.length} characters, but is not an OIDC token: three base64url parts with dots between them. For a path, use oidc_token_file.`,
  );
}
