import { readLifetimeSeconds, decodeClaims } from '../report/token-claims';
import { markdownCode } from '../report/quote-text';
import { formatPrincipal } from '../report/principal';
import type { ServiceName } from '../cloud/service-call';
import type { Settings } from '../inputs/settings';
import type { CheckRecord } from './check-recorder';

export interface CheckFields {
  readonly settings: Settings;
  readonly record: CheckRecord;
  readonly oidcToken: string | undefined;
  /** The proxy of each host, without credentials. */
  readonly proxies: readonly (readonly [host: string, proxy: string | undefined])[];
}

type Row = readonly [name: string, result: string];

/** The rows of a check, in the order in which the action works. What comes after a failure was not checked. */
export function listCheckRows({ settings, record, oidcToken, proxies }: CheckFields): readonly Row[] {
  const { identity, universe } = settings;
  const steps = listSteps(settings);
  const failedAt = steps.findIndex(([, service]) => !record.accepted.has(service));
  const { sub } = decodeClaims(oidcToken);
  const skew = record.clockSkewSeconds();
  return [
    ['Inputs', `valid, for the universe ${markdownCode(universe)}`],
    ...(identity.mode === 'key' ? [] : [['Provider', markdownCode(identity.provider.name)] as const]),
    ...proxies.map(([host, proxy]): Row => [`Proxy of ${host}`, proxy === undefined ? 'direct' : markdownCode(proxy)]),
    ...steps.map(([name], index): Row => [name, describeStep(index, failedAt)]),
    ...(oidcToken === undefined ? [] : [['Claims', describeClaims(oidcToken)] as const]),
    ['Clock of the runner', skew === undefined ? 'not checked' : describeSkew(skew)],
    ['Principal', markdownCode(formatPrincipal(identity, typeof sub === 'string' ? sub : undefined))],
  ];
}

export function formatCheckSummary(rows: readonly Row[]): string {
  const lines = rows.map(([name, result]) => `| ${name} | ${result} |`);
  return ['### Check of the authentication', '', '| | |', '| --- | --- |', ...lines, ''].join('\n');
}

function listSteps({ identity, token, oidcSource }: Settings): readonly (readonly [string, ServiceName])[] {
  if (identity.mode === 'key' && token.kind === 'none') return [['The key is accepted', 'oauth']];
  if (identity.mode === 'key') return [['The key may issue the token', 'iam']];
  const oidc: readonly (readonly [string, ServiceName])[] =
    oidcSource.kind === 'runner' ? [['The job gets an OIDC token', 'oidc']] : [];
  const trust = ['The provider trusts the token', 'sts'] as const;
  if (identity.serviceAccount === undefined) return [...oidc, trust];
  return [...oidc, trust, [`The job may impersonate ${markdownCode(identity.serviceAccount)}`, 'iam']];
}

function describeStep(index: number, failedAt: number): string {
  if (failedAt < 0 || index < failedAt) return 'yes';
  return index === failedAt ? '**no**' : 'not checked';
}

function describeClaims(oidcToken: string): string {
  const { iss, sub, aud } = decodeClaims(oidcToken);
  const lifetime = readLifetimeSeconds(oidcToken);
  const claims = Object.entries({ iss, sub, aud }).map(([name, value]) => markdownCode(`${name}: ${String(value)}`));
  return [...claims, ...(lifetime === undefined ? [] : [`valid for ${lifetime} s`])].join('<br>');
}

function describeSkew(seconds: number): string {
  if (Math.abs(seconds) < 30) return 'right';
  return `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}: synchronize it`;
}
