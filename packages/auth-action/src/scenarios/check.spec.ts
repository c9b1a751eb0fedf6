import { startFakeCloud, type FakeCloud, type FakeCloudOptions } from '@weir/fake-cloud';
import { byKey, direct, federated, runInProcess, type InProcessRun, type Inputs } from './testing/run-in-process';

const check = { check: 'true' };

describe('check', () => {
  let fake: FakeCloud | undefined;
  afterEach(() => fake?.stop());

  async function run(
    inputs: (cloud: FakeCloud) => Inputs,
    options: FakeCloudOptions = {},
    changes: Partial<Parameters<typeof runInProcess>[1]> = {},
  ): Promise<InProcessRun & { readonly services: readonly string[] }> {
    fake = await startFakeCloud(options);
    const end = await runInProcess(fake, { inputs: inputs(fake), ...changes });
    return { ...end, services: fake.requests.map(({ service }) => service) };
  }

  function expectNothingHandedOut({ outputs, env, state, files }: InProcessRun): void {
    expect({ outputs, env, state, files }).toEqual({ outputs: {}, env: {}, state: {}, files: [] });
  }

  it('requests everything that a job needs, reports it and publishes nothing', async () => {
    const end = await run((cloud) => federated(cloud, check));

    expect(end.error).toBeUndefined();
    expectNothingHandedOut(end);
    expect(end.services).toEqual(['oidc', 'sts', 'iam']);
    expect(end.summary.split('\n')).toEqual(
      expect.arrayContaining([
        '| The job gets an OIDC token | yes |',
        '| The provider trusts the token | yes |',
        '| The job may impersonate <code>deployer@example-project.iam.gserviceaccount.com</code> | yes |',
        '| Clock of the runner | right |',
      ]),
    );
    expect(end.summary).toContain('repo:example-org/example-repo:ref:refs/heads/main</code>');
    expect(end.lines).toEqual(
      expect.arrayContaining([
        'info The check passed. No credentials were handed out.',
        'info The provider trusts the token: yes',
        expect.stringMatching(/^info Proxy of 127\.0\.0\.1:\d+: direct$/),
      ]),
    );
    expect(fake?.tokens.leaks(end.lines.join('\n') + end.summary)).toEqual([]);
  });

  it('warns that a condition on a subject without ids breaks at a rename, and names the one with ids', async () => {
    const end = await run((cloud) => federated(cloud, check));

    expect(end.lines).toContainEqual(
      expect.stringMatching(
        /^warning The subject of this job is repo:example-org\/example-repo:ref:refs\/heads\/main\. .* repo:example-org@2002\/example-repo@1001:ref:refs\/heads\/main,/,
      ),
    );
  });

  it('does not warn of a rename where the subject has ids', async () => {
    const end = await run((cloud) => {
      cloud.setClaims({ sub: 'repo:example-org@2002/example-repo@1001:ref:refs/heads/main' });
      return direct(cloud, check);
    });

    expect(end.lines.filter((line) => line.startsWith('warning'))).toEqual([]);
  });

  it.each<[string, (cloud: FakeCloud) => Inputs, readonly string[]]>([
    ['direct federation', (cloud) => direct(cloud, check), ['oidc', 'sts']],
    ['a key', (cloud) => byKey(cloud, check), ['oauth']],
    ['a token of a key', (cloud) => byKey(cloud, { ...check, token_format: 'access_token' }), ['iam']],
    [
      'an ID token',
      (cloud) => federated(cloud, { ...check, token_format: 'id_token', id_token_audience: 'https://a' }),
      ['oidc', 'sts', 'iam'],
    ],
  ])('covers %s', async (_, inputs, services) => {
    const end = await run(inputs);

    expect(end.error).toBeUndefined();
    expectNothingHandedOut(end);
    expect(end.services).toEqual(services);
    expect(end.summary).not.toMatch(/\*\*no\*\*|not checked \|\n\| The/);
  });

  it.each([
    ['http://ci:pass@127.0.0.1:9', '<code>http://127.0.0.1:9</code>'],
    ['socks5://ci:pass@127.0.0.1:9', 'has the scheme socks5; only http and https are supported'],
  ])('names the proxy %s without its password', async (proxy, text) => {
    const real = { sts_endpoint: '', iam_credentials_endpoint: '' };
    const end = await run((cloud) => federated(cloud, { ...check, ...real }), {}, { env: { HTTPS_PROXY: proxy } });

    expect(end.error).toMatchObject({ reason: 'proxy_failed' });
    expect(end.summary).toContain('| Proxy of sts.googleapis.com | ');
    expect(end.summary.replaceAll('&#59;', ';')).toContain(text);
    expect(end.summary + end.lines.join('\n')).not.toContain('pass@');
  });

  it('shows missing trust, and the lines that add it', async () => {
    const end = await run((cloud) => federated(cloud, check), { attributeCondition: () => false });

    expect(end.error).toMatchObject({ reason: 'sts_refused' });
    expectNothingHandedOut(end);
    expect(end.summary).toContain('| The job gets an OIDC token | yes |\n| The provider trusts the token | **no** |');
    expect(end.summary).toMatch(/may impersonate .* \| not checked \|/);
    expect(end.summary).toContain('### Authentication failed');
    expect(end.summary).toContain('gcloud iam workload-identity-pools providers update-oidc ci-provider');
    expect(end.summary).toContain('attribute_condition = "(<condition>) || assertion.');
  });

  it('shows a missing role, and the lines that grant it', async () => {
    const account = { email: 'deployer@example-project.iam.gserviceaccount.com', uniqueId: '1', impersonators: [] };
    const end = await run((cloud) => federated(cloud, check), { accounts: [account] });

    expect(end.error).toMatchObject({ reason: 'iam_refused' });
    expect(end.summary).toMatch(/may impersonate .* \| \*\*no\*\* \|/);
    expect(end.summary).toContain('gcloud iam service-accounts add-iam-policy-binding');
    expect(end.summary).toContain('resource "google_service_account_iam_member" "ci" {');
  });

  it('shows a missing permission before any request', async () => {
    const env = { ACTIONS_ID_TOKEN_REQUEST_URL: undefined };
    const end = await run((cloud) => federated(cloud, check), {}, { env });

    expect(end.services).toEqual([]);
    expect(end.summary).toContain('| The job gets an OIDC token | **no** |');
    expect(end.summary).toContain('| Clock of the runner | not checked |');
    expect(end.summary).toContain('```yaml\npermissions:\n  contents: read\n  id-token: write\n```');
  });

  it.each([
    [100_000, 'behind'],
    [-100_000, 'ahead'],
  ])('shows a clock that differs by %i ms', async (difference, direction) => {
    const now = () => Date.now() + difference;
    const end = await run((cloud) => direct(cloud, check), { now, oidcLifetimeSeconds: 3600 });

    // The header of the server has whole seconds.
    expect(end.summary).toMatch(new RegExp(`Clock of the runner \\| (?:99|10[01]) s ${direction}: synchronize it`));
  });

  it('writes no summary if step_summary is false', async () => {
    expect((await run((cloud) => direct(cloud, { ...check, step_summary: 'false' }))).summary).toBe('');
  });
});

describe('the summary of a failure', () => {
  it('explains invalid inputs, unless step_summary is false', async () => {
    const fake = await startFakeCloud();
    try {
      const { summary } = await runInProcess(fake, { inputs: { workload_identity_provider: 'ci|`x`' } });
      expect(summary).toContain('### Authentication failed');
      expect(summary).toContain('Input workload_identity_provider');
      expect(summary).not.toContain('none');
      expect((await runInProcess(fake, { inputs: { step_summary: 'false' } })).summary).toBe('');
    } finally {
      await fake.stop();
    }
  });
});
