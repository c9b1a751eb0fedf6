import { AppError } from '@weir/foundation';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { mkdirSync, writeFileSync } from 'node:fs';
import { anAccount, directIdentity, keyIdentity, someKey, someSettings } from '../testing/settings';
import { explainCause } from './explain-cause';
import type { FailureContext } from './failure-explanation';
import { formatFailure } from './failure';

const encodeToken = (claims: object): string =>
  [{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + '.AAAA';

const claims = {
  iss: 'https://token.test',
  sub: 'repo:octo/app:ref:refs/heads/main',
  aud: 'https://a',
  repository: 'octo/app',
  ref: 'refs/heads/main',
  job_workflow_ref: 'octo/app/.github/workflows/a.yml@refs/heads/main',
  event_name: 'push',
};

const describeReason = (
  reason: string,
  context: Partial<FailureContext> = {},
  details: Readonly<Record<string, unknown>> = {},
): string =>
  formatFailure(
    explainCause(new AppError('forbidden', 'It failed.', { reason, details }), {
      env: {},
      settings: someSettings(),
      oidcToken: undefined,
      ...context,
    }),
  );

describe('explainCause', () => {
  it('reports what failed, the likely cause and the next step', () => {
    expect(describeReason('network_unreachable').split('\n')).toEqual([
      'It failed.',
      expect.stringMatching(/^Likely cause: /),
      expect.stringMatching(/^Next step: /),
    ]);
  });

  it('reports only the message without a reason', () => {
    const error = new AppError('internal', 'It failed.');
    const context = { env: {}, settings: someSettings(), oidcToken: undefined };
    expect(formatFailure(explainCause(error, context))).toBe('It failed.');
  });

  it.each([
    [90, 'is 90 seconds ahead of the'],
    [-45, 'is 45 seconds behind the'],
  ])('reports a clock that is %d seconds wrong', (clockSkewSeconds, text) => {
    expect(describeReason('oauth_refused', {}, { clockSkewSeconds })).toContain(text);
  });
});

describe('explainCause of a missing id-token permission', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const describeJob = (env: Readonly<Record<string, string>>, payload?: string): string => {
    writeFileSync(folder.file('event.json'), payload ?? '{}');
    return describeReason('id_token_permission_missing', {
      env: { GITHUB_EVENT_PATH: folder.file('event.json'), ...env },
    });
  };
  const fromFork = JSON.stringify({
    pull_request: { head: { repo: { full_name: 'else/app' } }, base: { repo: { full_name: 'octo/app' } } },
  });

  it('names the block to add', () => {
    expect(describeJob({ GITHUB_EVENT_NAME: 'push' })).toContain(
      '\n  permissions:\n    contents: read\n    id-token: write',
    );
  });

  it.each([
    ['from a fork', fromFork],
    ['from a fork that is gone', '{"pull_request":{"head":{"repo":null},"base":{"repo":{"full_name":"octo/app"}}}}'],
  ])('reports a pull request %s', (_case, payload) => {
    expect(describeJob({ GITHUB_EVENT_NAME: 'pull_request' }, payload)).toContain(
      'This pull_request run is for a pull request from a fork',
    );
  });

  it.each([
    ['of the same repository', 'pull_request', fromFork.replace('else/', 'octo/')],
    ['that runs with the rights of its target', 'pull_request_target', fromFork],
    ['whose event is no JSON', 'pull_request', '{'],
    ['whose event is larger than any', 'pull_request', `${fromFork}${' '.repeat(16 * 1_048_576)}`],
  ])('does not suspect a fork for a pull request %s', (_case, event, payload) => {
    expect(describeJob({ GITHUB_EVENT_NAME: event }, payload)).not.toContain('fork');
  });

  it('does not wait for an event that is not a file', () => {
    mkdirSync(folder.file('folder'));
    expect(describeJob({ GITHUB_EVENT_PATH: folder.file('folder') })).not.toContain('fork');
    expect(describeReason('id_token_permission_missing')).not.toContain('fork');
  });

  it('reports Dependabot and reusable workflows', () => {
    expect(describeJob({ GITHUB_ACTOR: 'dependabot[bot]' })).toContain('started by Dependabot');
    expect(describeJob({ GITHUB_EVENT_NAME: 'workflow_call' })).toContain('the job that calls it must grant');
  });
});

describe('explainCause of a refused exchange', () => {
  const describeRefusal = (own: object, details = {}): string =>
    describeReason('sts_refused', { oidcToken: encodeToken(own) }, details);

  it('shows the claims used by conditions and mappings', () => {
    const text = describeRefusal(claims);
    expect(text).toContain(
      '  iss: "https://token.test"\n  sub: "repo:octo/app:ref:refs/heads/main" (33 bytes of at most 127)',
    );
    for (const value of ['"octo/app"', '"push"', 'a.yml@refs/heads/main', 'environment: (none)'])
      expect(text).toContain(value);
  });

  it('formats each claim on one bounded line', () => {
    const text = describeRefusal({ ...claims, ref: `a\n::error::b${'x'.repeat(1000)}` });
    expect(text).toContain(String.raw`  ref: "a\n::error::b`);
    expect(text).not.toContain('x'.repeat(301));
  });

  it.each([
    ['The given credential is rejected by the attribute condition.', 'attribute condition of the provider rejects'],
    [
      'The size of mapped attribute google.subject exceeds the 127 bytes limit.',
      'attribute mapping results in no usable subject',
    ],
    ['The audience in ID Token does not match the expected audience.', 'provider does not allow this audience'],
    ['The issuer in ID Token does not match the expected ones.', 'expects another issuer'],
    ['The target service indicated by the audience', 'provider does not allow this audience'],
    ['The pool was not found.', 'exist and are enabled'],
    ['The token is expired.', 'check the clock'],
  ])('has a hint for %j', (description, hint) => {
    expect(describeRefusal(claims, { googleReason: 'invalid_grant', description })).toContain(hint);
  });

  it('measures a subject that is too long', () => {
    expect(describeRefusal({ ...claims, sub: 'é'.repeat(64) })).toContain('(128 bytes of at most 127)');
    expect(describeRefusal({ ...claims, sub: 'é'.repeat(64) })).toContain('Map google.subject to a shorter value');
    expect(describeRefusal({ iss: 'a' })).not.toContain('bytes');
  });

  const names = 'repo:octo/app:ref:refs/heads/main';
  const withIds = 'repo:octo@12/app@345:ref:refs/heads/main';

  it.each([
    ['sts_refused', 'has no ids', names, withIds],
    ['aws_refused', 'has no ids', names, withIds],
    ['azure_refused', 'has the ids of the repository', withIds, names],
  ])('says of %s that the subject %s, and which condition does not match', (reason, form, own, other) => {
    const oidcToken = encodeToken({ ...claims, sub: own, repository_owner_id: '12', repository_id: '345' });
    const text = describeReason(reason, { oidcToken });

    expect(text).toContain(`The subject ${form}`);
    expect(text).toContain(`A condition for ${other} does not match it: write ${own}`);
    expect(text).toContain('  repository_id: "345"\n  repository_owner_id: "12"');
  });

  it('says nothing of the form of a subject that has one form', () => {
    expect(describeRefusal(claims)).not.toContain('The subject');
  });

  it('reports a reusable workflow', () => {
    const called = { ...claims, workflow_ref: 'octo/app/.github/workflows/b.yml@refs/heads/main' };
    expect(describeRefusal(called)).toContain('belongs to a reusable workflow');
    expect(describeRefusal({ ...called, workflow_ref: claims.job_workflow_ref })).not.toContain('reusable workflow');
  });

  it.each([undefined, 'no token'])('shows no claims of the token %p', (oidcToken) => {
    expect(describeReason('sts_refused', { oidcToken })).not.toContain('The token of this job');
  });
});

describe('explainCause of a refused impersonation', () => {
  const pool = 'principalSet://iam.googleapis.com/projects/1234/locations/global/workloadIdentityPools/pool';
  const accessToken = { kind: 'access_token', lifetimeSeconds: 60, scopes: [], subject: 'a@b.test' } as const;

  it.each([
    ['the token', { oidcToken: encodeToken(claims) }, 'octo/app'],
    ['the environment', { env: { GITHUB_REPOSITORY: 'octo/other' } }, 'octo/other'],
    ['nothing', {}, '<owner>/<repository>'],
  ])('names role and principals, with the repository of %s', (_case, context, repository) => {
    const text = describeReason('iam_refused', context);
    expect(text).toContain(`Grant roles/iam.workloadIdentityUser on ${anAccount}:`);
    expect(text).toContain(`--member="${pool}/attribute.repository/${repository}"`);
    expect(text).toContain('5 minutes');
  });

  it('names the role for signing if a user is impersonated', () => {
    const settings = someSettings({ token: accessToken });
    expect(describeReason('iam_refused', { settings })).toContain('roles/iam.serviceAccountTokenCreator on me@');
  });

  it('names the role for a key', () => {
    const settings = someSettings({
      identity: keyIdentity(anAccount),
      token: { ...accessToken, subject: undefined },
    });
    const text = describeReason('iam_refused', { settings });
    expect(text).toContain(
      `--role="roles/iam.serviceAccountTokenCreator" --member="serviceAccount:${someKey.clientEmail}"`,
    );
    expect(text).not.toContain('attribute.repository');
  });

  it('starts at the first delegate of a chain', () => {
    const text = describeReason('iam_refused', { settings: someSettings({ delegates: ['first@p.test', 'second'] }) });
    expect(text).toContain('on first@p.test:');
    expect(text).toContain('In a delegation chain');
  });

  it('names no role without an account', () => {
    const settings = someSettings({ identity: directIdentity });
    expect(describeReason('iam_refused', { settings })).not.toContain('add-iam-policy-binding');
    expect(describeReason('iam_refused', { settings: undefined })).not.toContain('add-iam-policy-binding');
  });
});
