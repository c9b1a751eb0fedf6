import { formatUtcSeconds } from '../runner/format-utc-seconds';
import type { Settings } from '../inputs/settings';
import { formatPrincipal } from './principal';
import { markdownCode } from './quote-text';
import { decodeClaims } from './token-claims';

export interface SummaryFields {
  readonly settings: Settings;
  readonly oidcToken: string | undefined;
  /** The expiry of the token output, if any. */
  readonly expiresAt: Date | undefined;
  /** Names of the variables that were set. */
  readonly variables: readonly string[];
  /** Path of the credentials file, if one was written. */
  readonly file: string | undefined;
}

/** Markdown with the principal, the expiry and what later steps can use. Contains names only, no secrets. */
export function formatStepSummary({ settings, oidcToken, expiresAt, variables, file }: SummaryFields): string {
  const { identity, token, projectId } = settings;
  const { sub } = decodeClaims(oidcToken);
  // The expiry of a token is not shown, because clients that use the file request new ones.
  const validity = identity.mode === 'key' ? 'until the key is deleted' : 'while the job runs';
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Authenticated as', code(formatPrincipal(identity, typeof sub === 'string' ? sub : undefined))],
    ['Method', identity.mode === 'key' ? 'service account key' : code(identity.provider.name)],
    ['Impersonated user', token.kind === 'access_token' ? code(token.subject) : undefined],
    ['Project', code(projectId)],
    ['Token output', token.kind === 'none' ? undefined : code(token.kind)],
    ['Token valid until', expiresAt && formatUtcSeconds(expiresAt)],
    ['Credentials file', file === undefined ? undefined : `${String(code(file))} ${validity}`],
    ['Variables set', variables.map(code).join(', ')],
  ];
  const lines = rows.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`| ${name} | ${value} |`],
  );
  return ['### Google Cloud authentication', '', '| | |', '| --- | --- |', ...lines, ''].join('\n');
}

function code(text: string | undefined): string | undefined {
  return text === undefined ? undefined : markdownCode(text);
}
