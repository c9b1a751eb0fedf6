import type { Settings } from '../settings';
import { principalOf } from './principal';
import { claimsOf } from './token-claims';

export interface SummaryFacts {
  readonly settings: Settings;
  readonly oidcToken: string | undefined;
  /** Of the token that was handed out, if any. */
  readonly expiresAt: Date | undefined;
  /** Names of the variables that were set. */
  readonly variables: readonly string[];
  /** Path of the credentials file, if one was written. */
  readonly file: string | undefined;
}

/** Markdown: who the job became, until when, and what later steps find. Names only, no secrets. */
export function stepSummary({ settings, oidcToken, expiresAt, variables, file }: SummaryFacts): string {
  const { identity, token, projectId } = settings;
  const { sub } = claimsOf(oidcToken);
  // Not the end of some token: readers of the file get new ones.
  const usefulness = identity.mode === 'key' ? 'until the key is deleted' : 'while the job runs';
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Signed in as', code(principalOf(identity, typeof sub === 'string' ? sub : undefined))],
    ['By', identity.mode === 'key' ? 'service-account key' : code(identity.provider.name)],
    ['Acting as user', token.kind === 'access_token' ? code(token.subject) : undefined],
    ['Project', code(projectId)],
    ['Token output', token.kind === 'none' ? undefined : code(token.kind)],
    ['Token valid until', expiresAt && zulu(expiresAt)],
    ['Credentials file', file === undefined ? undefined : `${String(code(file))} ${usefulness}`],
    ['Variables set', variables.map(code).join(', ')],
  ];
  const lines = rows.map(([name, value]) => `| ${name} | ${value === undefined || value === '' ? 'none' : value} |`);
  return ['### Cloud sign-in', '', '| | |', '| --- | --- |', ...lines, ''].join('\n');
}

/** RFC 3339 in UTC, without a fraction of a second. */
function zulu(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z');
}

function code(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // HTML, because no escape works in a code span of a table: texts come from inputs and claims.
  const safe = text.replaceAll(/[^\w./:@,=+ -]/gu, (character) => `&#${String(character.codePointAt(0))};`);
  return `<code>${safe}</code>`;
}
