import type { Settings } from '../settings';
import { assertExpected } from './assert-expected';
import { settingsNotes } from './settings-notes';
import { stepSummary } from './step-summary';
import { variablesOf } from './variables';

const provider = { name: 'projects/1/…/providers/ci', projectNumber: '1', pool: 'pool', provider: 'ci' };
const federation = {
  mode: 'federation',
  provider,
  serviceAccount: 'me@p.iam.gserviceaccount.com',
  audience: 'a',
} as const;
const direct = { ...federation, serviceAccount: undefined };
const accessToken = { kind: 'access_token', lifetimeSeconds: 60, scopes: [], subject: 'a|b<i>@c.test' } as const;
const key = {
  clientEmail: 'key@p.iam.gserviceaccount.com',
  privateKeyId: 'id',
  privateKey: 'pem',
  projectId: 'p',
  universeDomain: undefined,
  json: { private_key: 'pem' },
};

function someSettings(changes: Partial<Settings> = {}): Settings {
  return {
    identity: federation,
    token: { kind: 'none' },
    delegates: [],
    projectId: 'p',
    universe: 'googleapis.com',
    endpoints: { sts: 'https://sts.test', iamCredentials: 'https://iam.test', oauth2: 'https://oauth2.test' },
    file: { create: true, cleanUp: true, mode: 0o600, tokenLifetimeSeconds: 3600 },
    exportsVariables: true,
    requestReason: undefined,
    expectedProject: undefined,
    expectedAccount: undefined,
    writesSummary: true,
    revokes: false,
    deadlineSeconds: 60,
    ...changes,
  };
}

const token = (sub: unknown): string =>
  [{ alg: 'RS256' }, { sub }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  '.AAAA';

describe('stepSummary', () => {
  const summaryOf = (settings: Settings, oidcToken?: string): string =>
    stepSummary({ settings, oidcToken, expiresAt: undefined, variables: [], file: undefined });

  it('says who the job became, until when, and what later steps find', () => {
    const text = stepSummary({
      settings: someSettings({ token: accessToken }),
      oidcToken: undefined,
      expiresAt: new Date('2026-11-21T12:00:00.123Z'),
      variables: ['GCP_PROJECT', 'GCLOUD_PROJECT'],
      file: '/w/gha-creds-00.json',
    });
    expect(text).toBe(`### Cloud sign-in

| | |
| --- | --- |
| Signed in as | <code>me@p.iam.gserviceaccount.com</code> |
| By | <code>projects/1/&#8230;/providers/ci</code> |
| Acting as user | <code>a&#124;b&#60;i&#62;@c.test</code> |
| Project | <code>p</code> |
| Token output | <code>access_token</code> |
| Token valid until | 2026-11-21T12:00:00Z |
| Credentials file | <code>/w/gha-creds-00.json</code> |
| Variables set | <code>GCP_PROJECT</code>, <code>GCLOUD_PROJECT</code> |
`);
  });

  it('says none for what there is not', () => {
    const text = summaryOf(someSettings({ projectId: undefined }));
    expect(text.match(/\| none \|/g)).toHaveLength(6);
  });

  it('names the principal in direct federation, by its subject where that is known', () => {
    const pool = '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool';
    const settings = someSettings({ identity: direct });
    expect(summaryOf(settings, token('repo:a/b'))).toContain(`<code>principal:${pool}/subject/repo:a/b</code>`);
    expect(summaryOf(settings, token(7))).toContain(`<code>principalSet:${pool}/&#42;</code>`);
  });

  it('shows nothing of a key but the account', () => {
    const text = summaryOf(someSettings({ identity: { mode: 'key', key, serviceAccount: 'other@p.test' } }));
    expect(text).toContain('<code>other@p.test</code>');
    expect(text).not.toContain('pem');
  });
});

describe('variablesOf', () => {
  it('lists the eight variables in order', () => {
    expect(variablesOf(someSettings(), '/w/f')).toEqual([
      ['CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE', '/w/f'],
      ['GOOGLE_APPLICATION_CREDENTIALS', '/w/f'],
      ['GOOGLE_GHA_CREDS_PATH', '/w/f'],
      ['CLOUDSDK_CORE_PROJECT', 'p'],
      ['CLOUDSDK_PROJECT', 'p'],
      ['GCLOUD_PROJECT', 'p'],
      ['GCP_PROJECT', 'p'],
      ['GOOGLE_CLOUD_PROJECT', 'p'],
    ]);
  });

  it('lists none for a file or a project that is not there, and none at all when told so', () => {
    expect(variablesOf(someSettings(), undefined)).toHaveLength(5);
    expect(variablesOf(someSettings({ projectId: undefined }), '/w/f')).toHaveLength(3);
    expect(variablesOf(someSettings({ exportsVariables: false }), '/w/f')).toEqual([]);
  });
});

describe('assertExpected', () => {
  const expectations = { expectedProject: 'p', expectedAccount: 'a' };

  it('lets pass what is expected, and anything where nothing is', () => {
    expect(() => assertExpected(expectations, 'p', 'a')).not.toThrow();
    expect(() =>
      assertExpected({ expectedProject: undefined, expectedAccount: undefined }, 'x', undefined),
    ).not.toThrow();
  });

  it.each([
    ['another project', 'x', 'a', 'project_not_expected', 'but it is "x"'],
    ['no project', undefined, 'a', 'project_not_expected', 'none could be told'],
    ['another account', 'p', 'x', 'account_not_expected', 'but it is "x"'],
  ])('refuses %s', (_case, project, account, reason, text) => {
    const failure = expect.objectContaining({ reason, message: expect.stringContaining(text) as string }) as Error;
    expect(() => assertExpected(expectations, project, account)).toThrow(failure);
  });
});

describe('settingsNotes', () => {
  it('warns of tokens that end soon in direct federation', () => {
    expect(settingsNotes(someSettings({ identity: direct, token: accessToken }))).toEqual([
      expect.stringContaining('minutes'),
    ]);
    expect(settingsNotes(someSettings({ identity: direct }))).toEqual([]);
  });

  it('warns that the file knows no chain', () => {
    expect(settingsNotes(someSettings({ delegates: ['d'] }))).toEqual([expect.stringContaining('delegates')]);
    const identity = { mode: 'key', key, serviceAccount: 'a' } as const;
    expect(settingsNotes(someSettings({ identity, delegates: ['d'], token: accessToken }))).toEqual([]);
  });
});
