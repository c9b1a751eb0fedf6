import { cloudPlatformScope } from '../cloud/identifiers';
import type { TokenWish } from '../settings';
import type { InputName } from './input-names';
import type { InputReader } from './input-reader';
import { parseAccount, parseUserEmail } from './account';
import { parseDuration } from './duration';
import { parseList } from './list';
import { parsed, wrong, type Parsed } from './parsed';
import { show } from './show';
import { parseBoolean } from './switches';
import { parseAudience, parseScope } from './texts';

type Format = 'access_token' | 'id_token';

export const defaultLifetimeSeconds = 3600;
const lifetimeRange = { minSeconds: 1, maxSeconds: 43_200, maxText: '12h (above 1h only with an organization policy)' };
const maxLifetimeWithSubject = 3600;
const defaultScopes: readonly string[] = [cloudPlatformScope];

/** What is wished for; `token` is `undefined` where something is wrong, which was reported then. */
export interface TokenInputs {
  readonly token: TokenWish | undefined;
  readonly lifetimeSeconds: number;
  readonly delegates: readonly string[];
  readonly revokes: boolean;
}

export function readToken(reader: InputReader): TokenInputs {
  const options = {
    lifetimeSeconds: reader.read('access_token_lifetime', parseLifetime) ?? defaultLifetimeSeconds,
    scopes: reader.read('access_token_scopes', (text) => parseList(text, parseScope)) ?? defaultScopes,
    subject: reader.read('access_token_subject', parseUserEmail),
    audience: reader.read('id_token_audience', parseAudience),
    includeEmail: reader.read('id_token_include_email', parseBoolean) ?? false,
    delegates: reader.read('delegates', (text) => parseList(text, parseAccount)) ?? [],
    revokes: reader.read('revoke_access_token', parseBoolean) ?? false,
  };
  const format = reader.text('token_format') === undefined ? 'none' : reader.read('token_format', parseFormat);
  const { lifetimeSeconds, delegates, revokes } = options;
  // Which options go with a format that is not one cannot be told.
  if (format === undefined) return { token: undefined, lifetimeSeconds, delegates, revokes };
  reportUnused(reader, format, options);
  return { token: tokenWish(reader, format, options), lifetimeSeconds, delegates, revokes };
}

interface Options extends Omit<TokenInputs, 'token'> {
  readonly scopes: readonly string[];
  readonly subject: string | undefined;
  readonly audience: string | undefined;
  readonly includeEmail: boolean;
}

function parseFormat(text: string): Parsed<Format> {
  if (text === 'access_token' || text === 'id_token') return parsed(text);
  return wrong(
    'token_format_unknown',
    `is ${show(text)}. Give access_token, id_token, or leave it empty for no token.`,
  );
}

function parseLifetime(text: string): Parsed<number> {
  return parseDuration(text, lifetimeRange);
}

function tokenWish(reader: InputReader, format: Format | 'none', options: Options): TokenWish | undefined {
  if (format === 'none') return { kind: 'none' };
  if (format === 'id_token') return idTokenWish(reader, options);
  const { lifetimeSeconds, scopes, subject } = options;
  if (subject !== undefined && lifetimeSeconds > maxLifetimeWithSubject) {
    const message = `is ${lifetimeSeconds} seconds. With access_token_subject the cloud grants at most 1h, whatever the policy says.`;
    reader.report('access_token_lifetime', wrong('lifetime_too_long_for_subject', message));
  }
  return { kind: 'access_token', lifetimeSeconds, scopes, subject };
}

function idTokenWish(reader: InputReader, { audience, includeEmail }: Options): TokenWish | undefined {
  if (audience !== undefined) return { kind: 'id_token', audience, includeEmail };
  if (reader.text('id_token_audience') === undefined) {
    const message =
      'has no value, but token_format is id_token. Give the audience, such as the URL of the called service.';
    reader.report('id_token_audience', wrong('audience_missing', message));
  }
  return undefined;
}

/** An option that would do nothing is a mistake in the workflow: what was meant would not happen. */
function reportUnused(reader: InputReader, format: Format | 'none', options: Options): void {
  const changed: readonly (readonly [InputName, boolean, readonly Format[]])[] = [
    ['access_token_scopes', options.scopes.join() !== defaultScopes.join(), ['access_token']],
    ['access_token_subject', options.subject !== undefined, ['access_token']],
    ['revoke_access_token', options.revokes, ['access_token']],
    ['id_token_audience', options.audience !== undefined, ['id_token']],
    ['id_token_include_email', options.includeEmail, ['id_token']],
    ['delegates', options.delegates.length > 0, ['access_token', 'id_token']],
  ];
  for (const [input, isChanged, formats] of changed) {
    if (!isChanged || formats.some((fitting) => fitting === format)) continue;
    const actual = format === 'none' ? 'is empty' : `is ${format}`;
    const message = `is set, but goes only with token_format ${formats.join(' or ')}, which ${actual}. Take it away or change token_format.`;
    reader.report(input, wrong('option_unused', message));
  }
}
