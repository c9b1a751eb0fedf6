import type { Settings } from '../inputs/settings';
import { directIdentity, keyIdentity, someSettings } from '../testing/settings';
import { formatStepSummary } from './step-summary';
import { listVariables } from './variables';

const accessToken = { kind: 'access_token', lifetimeSeconds: 60, scopes: [], subject: 'a|b<i>@c.test' } as const;
const token = (sub: unknown): string =>
  [{ alg: 'RS256' }, { sub }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  '.AAAA';

describe('stepSummary', () => {
  const summarize = (settings: Settings, oidcToken?: string): string =>
    formatStepSummary({ settings, oidcToken, expiresAt: undefined, variables: [], file: undefined });

  it('shows the identity of the job, its expiry, and what later steps can use', () => {
    const text = formatStepSummary({
      settings: someSettings({ token: accessToken }),
      oidcToken: undefined,
      expiresAt: new Date('2026-11-21T12:00:00.123Z'),
      variables: ['GCP_PROJECT', 'GCLOUD_PROJECT'],
      file: '/w/gha-creds-00.json',
    });
    expect(text).toBe(`### Google Cloud authentication

| | |
| --- | --- |
| Authenticated as | <code>me@proj.iam.gserviceaccount.com</code> |
| Method | <code>projects/1234/locations/global/workloadIdentityPools/pool/providers/ci</code> |
| Impersonated user | <code>a&#124;b&#60;i&#62;@c.test</code> |
| Project | <code>proj</code> |
| Token output | <code>access_token</code> |
| Token valid until | 2026-11-21T12:00:00Z |
| Credentials file | <code>/w/gha-creds-00.json</code> while the job runs |
| Variables set | <code>GCP_PROJECT</code>, <code>GCLOUD_PROJECT</code> |
`);
  });

  it('omits missing values', () => {
    const text = summarize(someSettings({ projectId: undefined }));
    expect(text).not.toContain('none');
    expect(text.match(/^\| [A-Z]/gm)).toHaveLength(2);
  });

  it('names the principal in direct federation, with its subject if it is known', () => {
    const pool = '//iam.googleapis.com/projects/1234/locations/global/workloadIdentityPools/pool';
    const settings = someSettings({ identity: directIdentity });
    expect(summarize(settings, token('repo:a/b'))).toContain(`<code>principal:${pool}/subject/repo:a/b</code>`);
    expect(summarize(settings, token(7))).toContain(`<code>principalSet:${pool}/&#42;</code>`);
  });

  it('states that a file with a key is valid as long as the key', () => {
    const facts = { oidcToken: undefined, expiresAt: undefined, variables: [], file: '/w/f' };
    expect(formatStepSummary({ ...facts, settings: someSettings({ identity: keyIdentity('a') }) })).toContain(
      '| Credentials file | <code>/w/f</code> until the key is deleted |',
    );
  });

  it('shows only the account of a key', () => {
    const text = summarize(someSettings({ identity: keyIdentity('other@p.test') }));
    expect(text).toContain('<code>other@p.test</code>');
    expect(text).not.toContain('pem');
  });
});

describe('variablesOf', () => {
  it('lists the eight variables in order', () => {
    expect(listVariables(someSettings(), '/w/f')).toEqual([
      ['CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE', '/w/f'],
      ['GOOGLE_APPLICATION_CREDENTIALS', '/w/f'],
      ['GOOGLE_GHA_CREDS_PATH', '/w/f'],
      ['CLOUDSDK_CORE_PROJECT', 'proj'],
      ['CLOUDSDK_PROJECT', 'proj'],
      ['GCLOUD_PROJECT', 'proj'],
      ['GCP_PROJECT', 'proj'],
      ['GOOGLE_CLOUD_PROJECT', 'proj'],
    ]);
  });

  it('lists no variables without a file or a project, or if they are disabled', () => {
    expect(listVariables(someSettings(), undefined)).toHaveLength(5);
    expect(listVariables(someSettings({ projectId: undefined }), '/w/f')).toHaveLength(3);
    expect(listVariables(someSettings({ exportsVariables: false }), '/w/f')).toEqual([]);
  });
});
