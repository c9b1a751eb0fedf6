import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startFakeCloud, statuses, type FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { federated, runInProcess, type InProcessOptions, type Inputs } from './testing/run-in-process';

describe('a step that signs in to AWS and Azure', () => {
  let fake: FakeCloud;
  let temporary: TemporaryFolder;
  beforeEach(async () => {
    fake = await startFakeCloud();
    temporary = temporaryFolder();
    mkdirSync(temporary.file('temp'));
  });
  afterEach(async () => {
    await fake.stop();
    await temporary.remove();
  });

  const aws = (inputs: Inputs = {}): Inputs => ({
    aws_role: fake.awsRole.arn,
    aws_sts_endpoint: fake.bases.aws,
    ...inputs,
  });
  const azure = (inputs: Inputs = {}): Inputs => ({
    azure_tenant_id: fake.azureApp.tenantId,
    azure_client_id: fake.azureApp.clientId,
    azure_subscription_id: '33333333-3333-4333-8333-333333333333',
    azure_authority_host: fake.bases.azure,
    ...inputs,
  });
  const run = (inputs: Inputs, options: Partial<InProcessOptions> = {}) =>
    runInProcess(fake, {
      inputs,
      ...options,
      env: { RUNNER_TEMP: temporary.file('temp'), ...options.env },
    });
  const folder = () => temporary.file('temp', 'gha-tokens-a5a5a5a5a5a5a5a5');

  it('gives later steps files and variables, and no secrets', async () => {
    const names = { aws_region: 'eu-west-1', aws_role_session_name: 'ci-7', aws_audience: 'sts.amazonaws.com' };
    const end = await run({ ...aws(names), ...azure({ azure_audience: 'api://AzureADTokenExchange' }) });

    expect(end.error).toBeUndefined();
    expect(end.outputs).toEqual({
      aws_account_id: '123456789012',
      aws_arn: 'arn:aws:sts::123456789012:assumed-role/deployer/ci-7',
      aws_web_identity_token_file: path.join(folder(), 'aws'),
      azure_federated_token_file: path.join(folder(), 'azure'),
    });
    expect(end.env).toMatchObject({
      AWS_WEB_IDENTITY_TOKEN_FILE: path.join(folder(), 'aws'),
      AWS_ENDPOINT_URL_STS: fake.bases.aws,
      AWS_DEFAULT_REGION: 'eu-west-1',
      AZURE_SUBSCRIPTION_ID: '33333333-3333-4333-8333-333333333333',
      ARM_OIDC_TOKEN_FILE_PATH: path.join(folder(), 'azure'),
      ARM_USE_OIDC: 'true',
    });
    expect(end.summary).toContain(
      '| AWS: authenticated as | <code>arn:aws:sts::123456789012:assumed-role/deployer/ci-7',
    );
    expect(end.summary).toContain('<code>AZURE_CLIENT_ID</code>');
    expect(fake.tokens.leaks(JSON.stringify([end.outputs, end.env, end.state, end.lines, end.summary]))).toEqual([]);
    expect(fake.requests.some(({ headers }) => 'x-goog-request-reason' in headers)).toBe(false);
  });

  it('outputs a session of AWS on request, masked', async () => {
    const { outputs, masked, env } = await run(
      aws({ aws_session_outputs: 'true', export_environment_variables: 'false' }),
    );

    expect(outputs.aws_access_key_id).toMatch(/^ASIA/);
    expect(masked).toEqual(expect.arrayContaining([outputs.aws_secret_access_key, outputs.aws_session_token]));
    expect(env).toEqual({});
  });

  it('sets the chosen variables, and restores them', async () => {
    const { env, state } = await run(
      {
        ...azure(),
        ...federated(fake),
        exported_variables: 'ARM_USE_OIDC, GCP_PROJECT',
        restore_environment_variables: '1',
      },
      { env: { ARM_USE_OIDC: 'false' } },
    );

    expect(env).toEqual({ GCP_PROJECT: 'example-project', ARM_USE_OIDC: 'true' });
    expect(JSON.parse(state.weir_variables ?? '')).toEqual({ GCP_PROJECT: '', ARM_USE_OIDC: 'false' });
  });

  it('reads the token of another CI system in place, and keeps a given one without renewing it', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: fake.issuer,
      sub: fake.azureApp.subject,
      aud: fake.azureApp.audience,
      iat: now,
      exp: now + 60,
    };
    const oidc = fake.sign('issuer', claims);
    const startRefresher = () => Promise.reject(new Error('Not expected.'));
    const given = await run(azure({ oidc_token: oidc }), { runOptions: { startRefresher } });

    expect(given.error).toBeUndefined();
    expect(given.env.AZURE_FEDERATED_TOKEN_FILE).toBe(path.join(folder(), 'azure'));
    writeFileSync(temporary.file('token'), oidc);
    const file = await run(azure({ oidc_token_file: temporary.file('token') }));
    expect(file.env.AZURE_FEDERATED_TOKEN_FILE).toBe(temporary.file('token'));
    expect(file.state).toEqual({});
  });

  it('checks without publishing credentials', async () => {
    const end = await run({ ...aws(), ...azure(), check: 'true' });

    expect(end).toMatchObject({ error: undefined, outputs: {}, env: {}, state: {} });
    expect(end.lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^info AWS accepts arn:/),
        `info Azure accepts ${fake.azureApp.clientId}.`,
      ]),
    );
    expect(end.summary).toContain('| Azure: authenticated as | ');
    expect(readdirSync(temporary.file('temp'))).toEqual([]);
    expect((await run({ ...aws(), check: 'true', step_summary: 'false' })).summary).toBe('');
  });

  it.each([
    ['aws_refused', () => aws(), 'Not authorized to perform', 'aws iam update-assume-role-policy --role-name deployer'],
    ['azure_refused', () => azure(), 'AADSTS700213', 'az ad app federated-credential create --id 2222'],
  ])('explains %s with the claims and the lines that fix it', async (reason, inputs, message, fix) => {
    fake.setClaims({ sub: 'repo:other/repo' });
    const end = await run({ ...inputs(), ...federated(fake) });

    expect(end).toMatchObject({ error: { reason }, outputs: {}, env: {}, state: {}, files: [] });
    expect(end.error?.message).toContain(message);
    expect(end.error?.message).toContain('sub: "repo:other/repo"');
    expect(end.summary).toContain(fix);
    expect(end.summary).toContain('repo:other/repo');
  });

  it.each([
    ['aws', () => aws()],
    ['azure', () => azure()],
  ] as const)('explains that a condition of %s by names does not match a subject with ids', async (_cloud, inputs) => {
    const names = 'repo:example-org/example-repo:ref:refs/heads/main';
    const ids = 'repo:example-org@2002/example-repo@1001:ref:refs/heads/main';
    fake.setClaims({ sub: ids });
    const { error, summary } = await run(inputs());

    expect(error?.message).toContain(`A condition for ${names} does not match it: write ${ids}.`);
    expect(summary).toContain(ids);
  });

  it.each([
    ['aws', () => aws()],
    ['azure', () => azure()],
  ] as const)('fails if the response of %s has no credentials, and retries after an error', async (service, inputs) => {
    fake.setFaults({ [service]: [...statuses(503), { kind: 'empty' }] });

    expect(await run(inputs())).toMatchObject({ error: { reason: 'answer_malformed' }, outputs: {}, state: {} });
  });

  it('leaves nothing behind if the renewal cannot start, or if Google Cloud fails afterwards', async () => {
    const startRefresher = () => Promise.reject(new Error('EAGAIN'));
    expect(await run(aws(), { runOptions: { startRefresher } })).toMatchObject({
      error: { reason: 'token_refresher_failed' },
    });
    const setOutput = (name: string): void => {
      if (name === 'project_id') throw new Error('ENOSPC');
    };
    await expect(run({ ...aws(), ...federated(fake) }, { runtime: { setOutput } })).rejects.toThrow('ENOSPC');

    expect(readdirSync(temporary.file('temp'))).toEqual([]);
  });
});
