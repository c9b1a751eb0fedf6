import type { TokenRequest } from './settings';
import type { InputReader } from './input-reader';
import { parseAccount, parseUserEmail } from './account';
import { parseDuration } from './duration';
import { parseList, spaceOrComma } from './list';
import { validInput, invalidInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';
import { parseBoolean } from './switches';
import { parseAudience, parseScope } from './texts';

type Format = 'access_token' | 'id_token';

/** The lifetime that Google Cloud chooses if none is requested. */
const unrequestedLifetimeSeconds = 3600;
const lifetimeRange = { minSeconds: 1, maxSeconds: 43_200, maxText: '12h (above 1h only with an organization policy)' };
const maxLifetimeWithSubject = 3600;

/** `token` is `undefined` if an input is invalid, which was reported to the reader. */
export interface TokenInputs {
  readonly token: TokenRequest | undefined;
  readonly delegates: readonly string[];
  readonly revokesToken: boolean;
}

/**
 * Reads the options of the format and ignores the others. Without an account (direct federation) the federated token is
 * the only token, and it expires with the OIDC token of the job.
 */
export function readToken(reader: InputReader, isDirect: boolean): TokenInputs {
  const format = reader.text('token_format') === undefined ? 'none' : reader.readOptional('token_format', parseFormat);
  const accessReader = readerFor(reader, format, ['access_token']);
  const lifetimeReader = isDirect ? reader.ignore(withoutAccount) : accessReader;
  const idReader = readerFor(reader, format, ['id_token']);
  const options = {
    lifetimeSeconds: lifetimeReader.read('access_token_lifetime', parseLifetime),
    scopes: accessReader.read('access_token_scopes', (text) => parseList(text, parseScope, spaceOrComma)),
    subject: accessReader.readOptional('access_token_subject', parseUserEmail),
    audience: idReader.readOptional('id_token_audience', parseAudience),
    includeEmail: idReader.read('id_token_include_email', parseBoolean),
  };
  const delegates = readerFor(reader, format, ['access_token', 'id_token']).readOptional('delegates', (text) =>
    parseList(text, parseAccount),
  );
  return {
    token: format && toTokenRequest(reader, format, options),
    delegates: delegates ?? [],
    revokesToken: accessReader.read('revoke_access_token', parseBoolean),
  };
}

/** Without a valid format it is unknown which options apply, so all of them are validated. */
function readerFor(reader: InputReader, format: Format | 'none' | undefined, formats: readonly Format[]) {
  if (format === undefined || formats.some((applicable) => applicable === format)) return reader;
  const actual = format === 'none' ? 'is empty' : `is ${format}`;
  return reader.ignore(`it applies only to token_format ${formats.join(' or ')}, and token_format ${actual}`);
}

/** Why an input for the token of an account has no effect in direct federation. */
export const withoutAccount =
  'it applies only with service_account, because a federated token expires with the OIDC token of the job';

interface Options {
  readonly lifetimeSeconds: number;
  readonly scopes: readonly string[];
  readonly subject: string | undefined;
  readonly audience: string | undefined;
  readonly includeEmail: boolean;
}

function parseFormat(text: string): ParsedInput<Format> {
  if (text === 'access_token' || text === 'id_token') return validInput(text);
  return invalidInput(
    'token_format_unknown',
    `is ${quoteInput(text)}. Use access_token, id_token, or leave it empty for no token.`,
  );
}

function parseLifetime(text: string): ParsedInput<number> {
  const lifetime = parseDuration(text, { ...lifetimeRange, minSeconds: 0 });
  return lifetime.ok && lifetime.value === 0 ? validInput(unrequestedLifetimeSeconds) : lifetime;
}

function toTokenRequest(reader: InputReader, format: Format | 'none', options: Options): TokenRequest | undefined {
  if (format === 'none') return { kind: 'none' };
  if (format === 'id_token') return toIdTokenRequest(reader, options);
  const { lifetimeSeconds, scopes, subject } = options;
  if (subject !== undefined && lifetimeSeconds > maxLifetimeWithSubject) {
    const message = `is ${lifetimeSeconds} seconds. With access_token_subject the maximum is 1h, regardless of the organization policy.`;
    reader.report('access_token_lifetime', invalidInput('lifetime_too_long_for_subject', message));
  }
  return { kind: 'access_token', lifetimeSeconds, scopes, subject };
}

function toIdTokenRequest(reader: InputReader, { audience, includeEmail }: Options): TokenRequest | undefined {
  if (audience !== undefined) return { kind: 'id_token', audience, includeEmail };
  if (reader.text('id_token_audience') === undefined) {
    const message =
      'has no value, but token_format is id_token. Set the audience, such as the URL of the service to call.';
    reader.report('id_token_audience', invalidInput('audience_missing', message));
  }
  return undefined;
}
