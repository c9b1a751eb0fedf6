import { subjectForms } from '@weir/oidc-claims';
import type { ActionsRuntime } from '../runner/actions-runtime';
import { cloudPlatformScope } from '../inputs/identifiers';
import { findProxy } from '../cloud/proxy';
import { redeemKey } from '../cloud/redeem-key';
import { issueTokens, type IssueOptions } from '../cloud/issue-tokens';
import { publishSummary } from '../runner/publish-summary';
import type { Settings } from '../inputs/settings';
import type { CheckRecord } from './check-recorder';
import { decodeClaims } from '../report/token-claims';
import { formatCheckSummary, listCheckRows } from './format-check';

export interface CheckOptions extends IssueOptions {
  readonly runtime: ActionsRuntime;
  readonly record: CheckRecord;
}

const checkLifetimeSeconds = 600;

/**
 * Authenticates as far as the inputs say and reports what worked. Hands nothing out: no file, variable or output. Fails
 * like the action itself.
 */
export async function runCheck(options: CheckOptions): Promise<void> {
  try {
    await authenticate(options);
    options.runtime.info('The check passed. No credentials were handed out.');
  } finally {
    report(options);
  }
}

/** Also requests a token if the action would leave that to client libraries: otherwise a missing role stays hidden. */
async function authenticate(options: CheckOptions): Promise<void> {
  const { identity, token } = options.settings;
  if (token.kind === 'none' && identity.mode === 'key') {
    await redeemKey(identity.key, { ...options, lifetimeSeconds: checkLifetimeSeconds });
    return;
  }
  const probe = { kind: 'access_token', lifetimeSeconds: checkLifetimeSeconds, scopes: [cloudPlatformScope] } as const;
  const needsProbe = token.kind === 'none' && identity.serviceAccount !== undefined;
  const settings: Settings = needsProbe
    ? { ...options.settings, token: { ...probe, subject: undefined } }
    : options.settings;
  await issueTokens({ ...options, settings });
}

/** The subject that a condition has to match as well, once the repository was renamed. */
export function warnOfRename(runtime: ActionsRuntime, oidcToken: string | undefined): void {
  const claims = decodeClaims(oidcToken);
  const forms = subjectForms(claims);
  if (forms?.ids === undefined || claims.sub !== forms.names) return;
  runtime.warning(
    `The subject of this job is ${forms.names}. Once the repository or its owner is renamed it is ${forms.ids}, with the new name, and a condition on the subject that you have now refuses it. Where the cloud allows it, write conditions on repository_id; otherwise add the second form when you rename.`,
  );
}

function report({ runtime, settings, record, tokenServices }: CheckOptions): void {
  const { oidcToken } = tokenServices;
  const proxies = listProxies(settings, runtime.env);
  const rows = listCheckRows({ settings, record, oidcToken, proxies });
  for (const [name, result] of rows) runtime.info(`${plain(name)}: ${plain(result)}`);
  if (settings.writesSummary) publishSummary(runtime, formatCheckSummary(rows));
}

function plain(markdown: string): string {
  return markdown
    .replaceAll('<br>', ', ')
    .replaceAll(/<\/?code>|\*\*/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

function listProxies(
  { identity, endpoints }: Settings,
  env: ActionsRuntime['env'],
): readonly (readonly [host: string, proxy: string | undefined])[] {
  const used = identity.mode === 'key' ? [endpoints.oauth2] : [endpoints.sts, endpoints.iamCredentials];
  return used.map((endpoint) => [new URL(endpoint).host, describeProxy(new URL(endpoint), env)]);
}

function describeProxy(url: URL, env: ActionsRuntime['env']): string | undefined {
  try {
    return findProxy(url, env)?.url.origin;
  } catch (error) {
    const { message } = Object(error) as { readonly message?: unknown };
    return String(message);
  }
}
