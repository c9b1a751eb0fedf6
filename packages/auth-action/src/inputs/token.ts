import { cloudPlatformScope } from '../cloud/identifiers';
import type { TokenRequest } from '../settings';
import type { InputReader } from './input-reader';
import { parseAccount, parseUserEmail } from './account';
import { parseDuration } from './duration';
import { parseList } from './list';
import { validInput, invalidInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';
import { parseBoolean } from './switches';
import { parseAudience, parseScope } from './texts';

type Format = 'access_token' | 'id_token';

export const defaultLifetimeSeconds = 3600;
const lifetimeRange = { minSeconds: 1, maxSeconds: 43_200, maxText: '12h (above 1h only with an organization policy)' };
const maxLifetimeWithSubject = 3600;
const defaultScopes: readonly string[] = [cloudPlatformScope];

/** `token` is `undefined` if an input is invalid, which was reported to the reader. */
export interface TokenInputs {
  readonly token: TokenRequest | undefined;
  readonly lifetimeSeconds: number;
  readonly delegates: readonly string[];
  readonly revokesToken: boolean;
}

export function readToken(reader: InputReader): TokenInputs {
  const options = {
    lifetimeSeconds: reader.read('access_token_lifetime', parseLifetime),
    scopes: reader.read('access_token_scopes', (text) => parseList(text, parseScope)),
    subject: reader.readOptional('access_token_subject', parseUserEmail),
    audience: reader.readOptional('id_token_audience', parseAudience),
    includeEmail: reader.read('id_token_include_email', parseBoolean),
    delegates: reader.readOptional('delegates', (text) => parseList(text, parseAccount)) ?? [],
    revokesToken: reader.read('revoke_access_token', parseBoolean),
  };
  const format = reader.text('token_format') === undefined ? 'none' : reader.readOptional('token_format', parseFormat);
  const { lifetimeSeconds, delegates, revokesToken: revokes } = options;
  // Without a valid format it is unknown which options apply.
  if (format === undefined) return { token: undefined, lifetimeSeconds, delegates, revokesToken: revokes };
  reportUnused(reader, format, options);
  return { token: toTokenRequest(reader, format, options), lifetimeSeconds, delegates, revokesToken: revokes };
}

interface Options extends Omit<TokenInputs, 'token'> {
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
  return parseDuration(text, lifetimeRange);
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

/** An option without effect is a mistake in the workflow. */
function reportUnused(reader: InputReader, format: Format | 'none', options: Options): void {
  const changed: readonly (readonly [string, boolean, readonly Format[]])[] = [
    ['access_token_scopes', options.scopes.join() !== defaultScopes.join(), ['access_token']],
    ['access_token_subject', options.subject !== undefined, ['access_token']],
    ['revoke_access_token', options.revokesToken, ['access_token']],
    ['id_token_audience', options.audience !== undefined, ['id_token']],
    ['id_token_include_email', options.includeEmail, ['id_token']],
    ['delegates', options.delegates.length > 0, ['access_token', 'id_token']],
  ];
  for (const [input, isChanged, formats] of changed) {
    if (!isChanged || formats.some((applicable) => applicable === format)) continue;
    const actual = format === 'none' ? 'is empty' : `is ${format}`;
    const message = `is set, but applies only to token_format ${formats.join(' or ')}, and token_format ${actual}. Remove it or change token_format.`;
    reader.report(input, invalidInput('option_unused', message));
  }
}
