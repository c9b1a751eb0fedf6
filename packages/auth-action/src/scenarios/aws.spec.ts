import { mkdirSync, readFileSync, statSync, writeFileSync, readdirSync } from 'node:fs';
import { startFakeCloud, statuses, type FakeAwsRole, type FakeCloud, type FakeCloudOptions } from '@weir/fake-cloud';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runPost } from '../post/run-post';
import { runInProcess, type InProcessRun, type Inputs } from './testing/run-in-process';

const deployer: FakeAwsRole = {
  arn: 'arn:aws:iam::123456789012:role/deployer',
  audience: 'sts.amazonaws.com',
  subject: /^repo:example-org\/example-repo:/,
  maximumSessionSeconds: 43_200,
  callers: /:user\/ci$/,
};
const target: FakeAwsRole = {
  ...deployer,
  arn: 'arn:aws:iam::210987654321:role/ci/target',
  callers: /:assumed-role\/deployer\//,
};
const job = {
  GITHUB_REPOSITORY: 'example-org/example-repo',
  GITHUB_WORKFLOW: 'Deploy & test (main)',
  GITHUB_ACTION: '__run',
  GITHUB_ACTOR: 'dependabot[bot]',
  GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_RUN_ID: '7',
};

describe('a step that signs in to AWS', () => {
  let fake: FakeCloud;
  let home: TemporaryFolder;
  beforeEach(() => {
    home = temporaryFolder();
    mkdirSync(home.file('temp'));
  });
  afterEach(async () => {
    await fake.stop();
    await home.remove();
  });

  const start = async (options: FakeCloudOptions = {}): Promise<void> => {
    fake = await startFakeCloud({ awsRoles: [deployer, target], ...options });
  };
  const keys = (): Inputs => ({
    aws_access_key_id: fake.awsUser.accessKeyId,
    aws_secret_access_key: fake.awsUser.secretAccessKey,
  });
  const keysInEnvironment = (): Record<string, string> => ({
    AWS_ACCESS_KEY_ID: fake.awsUser.accessKeyId,
    AWS_SECRET_ACCESS_KEY: fake.awsUser.secretAccessKey,
  });
  const sign = (inputs: Inputs, env: Readonly<Record<string, string>> = {}): Promise<InProcessRun> =>
    runInProcess(fake, {
      inputs: { aws_sts_endpoint: fake.bases.aws, ...inputs },
      env: { ...job, RUNNER_TEMP: home.file('temp'), HOME: home.path, ...env },
    });
  const actions = () =>
    fake.requests.filter(({ service }) => service === 'aws').map(({ body }) => (body as { Action?: string }).Action);
  const lastSession = () => fake.awsSessions().at(-1);

  describe('with keys', () => {
    it('proves them, and hands them out without a role', async () => {
      await start();
      const end = await sign(
        { ...keys(), aws_region: 'eu-west-1', aws_session_outputs: 'true' },
        { AWS_SESSION_TOKEN: 'x' },
      );

      expect(end.error).toBeUndefined();
      expect(end.env).toEqual({
        AWS_ACCESS_KEY_ID: fake.awsUser.accessKeyId,
        AWS_SECRET_ACCESS_KEY: fake.awsUser.secretAccessKey,
        AWS_SESSION_TOKEN: '',
        AWS_REGION: 'eu-west-1',
        AWS_DEFAULT_REGION: 'eu-west-1',
        AWS_ENDPOINT_URL_STS: fake.bases.aws,
      });
      expect(end.outputs).toEqual({
        aws_account_id: '123456789012',
        aws_arn: fake.awsUser.arn,
        aws_access_key_id: fake.awsUser.accessKeyId,
        aws_secret_access_key: fake.awsUser.secretAccessKey,
      });
      expect(end.masked).toEqual(expect.arrayContaining(Object.values(keys())));
      expect(actions()).toEqual(['GetCallerIdentity']);
    });

    it('assumes a role with everything that limits and marks its session', async () => {
      await start({ awsRoles: [{ ...deployer, externalId: 'id-7' }] });
      const end = await sign({
        ...keys(),
        aws_role: deployer.arn,
        aws_role_duration: '2h',
        aws_role_session_name: 'ci-7',
        aws_external_id: 'id-7',
        aws_session_tags: 'Team=web, Stage=a=b',
        aws_transitive_tags: 'Repository\nTeam',
        aws_inline_policy: '{ "Version": "2012-10-17",\n "Statement": [] }',
        aws_managed_policies: 'arn:aws:iam::aws:policy/ReadOnlyAccess arn:aws:iam::123456789012:policy/ci/x',
        aws_session_outputs: 'true',
      });

      expect(end.error).toBeUndefined();
      expect(lastSession()).toMatchObject({
        principal: 'arn:aws:sts::123456789012:assumed-role/deployer/ci-7',
        inlinePolicy: '{"Version":"2012-10-17","Statement":[]}',
        managedPolicies: ['arn:aws:iam::aws:policy/ReadOnlyAccess', 'arn:aws:iam::123456789012:policy/ci/x'],
        transitiveTags: ['Repository', 'Team'],
      });
      expect(lastSession()?.tags).toEqual({
        GitHub: 'Actions',
        Repository: 'example-org/example-repo',
        Workflow: 'Deploy _ test _main_',
        Action: '__run',
        Actor: 'dependabot_bot_',
        Commit: job.GITHUB_SHA,
        Branch: 'refs/heads/main',
        RunId: '7',
        Team: 'web',
        Stage: 'a=b',
      });
      const expiry = Date.parse(end.outputs.aws_expiration ?? '') / 1000;
      expect(expiry).toBe(lastSession()?.expiresAtSeconds);
      expect(Math.abs(expiry - Date.now() / 1000 - 7200)).toBeLessThan(60);
      expect(end.env.AWS_ACCESS_KEY_ID).toBe(lastSession()?.accessKeyId);
      expect(end.env.AWS_SECRET_ACCESS_KEY).not.toBe(fake.awsUser.secretAccessKey);
      expect(end.outputs.aws_arn).toBe(lastSession()?.principal);
    });

    it('sends no tags if the role does not allow them', async () => {
      await start({ awsRoles: [{ ...deployer, allowsTags: false }] });
      const refused = await sign({ ...keys(), aws_role: deployer.arn });

      expect(refused.error).toMatchObject({ reason: 'aws_call_refused' });
      expect(refused.error?.message).toContain('sts:TagSession');
      expect(refused.error?.message).toContain('set aws_job_tags to false');
      expect(refused).toMatchObject({ outputs: {}, env: {}, state: {} });
      expect((await sign({ ...keys(), aws_role: deployer.arn, aws_job_tags: 'false' })).error).toBeUndefined();
      expect(lastSession()?.tags).toEqual({});
    });

    it.each([
      ['a wrong secret', { aws_secret_access_key: 'wrong-secret-wrong-secret' }, 'SignatureDoesNotMatch'],
      ['a session token that is not theirs', { aws_session_token: 'wrong-token-wrong-token' }, 'SignatureDoesNotMatch'],
      ['a role that does not trust them', { aws_role: target.arn }, 'sts:AssumeRole'],
      ['another external id', { aws_role: deployer.arn, aws_external_id: 'id' }, 'sts:AssumeRole'],
    ])('fails for %s and hands nothing out', async (_, inputs, message) => {
      await start();
      const end = await sign({ ...keys(), ...inputs });

      expect(end).toMatchObject({ error: { reason: 'aws_call_refused' }, outputs: {}, env: {}, state: {} });
      expect(end.error?.message).toContain(message);
      expect(end.error?.message).not.toContain(fake.awsUser.secretAccessKey);
    });
  });

  describe('with several roles', () => {
    it('assumes the first with the OIDC token for the shortest time, and the others in turn', async () => {
      await start();
      const end = await sign({
        aws_role: deployer.arn,
        aws_chained_roles: target.arn,
        aws_allowed_accounts: '210987654321',
      });

      expect(end.error).toBeUndefined();
      expect(actions()).toEqual(['AssumeRoleWithWebIdentity', 'AssumeRole']);
      expect(fake.requests[1]?.body).toMatchObject({ DurationSeconds: '900' });
      expect(fake.requests[1]?.body).not.toHaveProperty('Tags.member.1.Key');
      expect(lastSession()?.tags).toMatchObject({ Repository: 'example-org/example-repo' });
      expect(end.outputs).toEqual({
        aws_account_id: '210987654321',
        aws_arn: 'arn:aws:sts::210987654321:assumed-role/target/example-org-example-repo-7',
      });
      expect(end.env).toMatchObject({ AWS_ACCESS_KEY_ID: lastSession()?.accessKeyId });
      expect(end.env).not.toHaveProperty('AWS_WEB_IDENTITY_TOKEN_FILE');
      expect(readdirSync(home.file('temp'))).toEqual([]);
    });

    it('assumes a role with the session that an earlier step left in the environment', async () => {
      await start();
      const first = await sign({ aws_role: deployer.arn, aws_session_variables: 'true' });
      const end = await sign({ aws_role: target.arn, aws_role_chaining: 'true' }, first.env);

      expect(end.error).toBeUndefined();
      expect(actions()).toEqual(['AssumeRoleWithWebIdentity', 'GetCallerIdentity', 'AssumeRole']);
      expect(end.outputs.aws_account_id).toBe('210987654321');
      expect(end.env.AWS_SESSION_TOKEN).not.toBe(first.env.AWS_SESSION_TOKEN);
    });
  });

  describe('with the OIDC token', () => {
    it.each([
      ['a duration', { aws_role_duration: '1h' }],
      ['an inline policy', { aws_inline_policy: '{"Statement":[]}' }],
      ['managed policies', { aws_managed_policies: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }],
      ['aws_session_variables', { aws_session_variables: 'true' }],
    ])('hands out a session, which cannot be renewed without its limits, with %s', async (_, inputs) => {
      await start();
      const end = await sign({ aws_role: deployer.arn, ...inputs });

      expect(Object.keys(end.env)).toEqual([
        'AWS_ACCESS_KEY_ID',
        'AWS_SECRET_ACCESS_KEY',
        'AWS_SESSION_TOKEN',
        'AWS_ENDPOINT_URL_STS',
      ]);
      expect(end.state).toEqual({});
      expect(end.masked).toEqual(expect.arrayContaining(Object.values(end.env).slice(0, 3)));
    });

    it('empties the variables of earlier credentials on request', async () => {
      await start();
      const earlier = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x', AWS_ROLE_ARN: 'x' };
      const inputs = { aws_role: deployer.arn, aws_unset_credentials: 'true', aws_sts_endpoint: fake.bases.aws };
      const { env } = await sign(inputs, earlier);

      expect(env).toMatchObject({ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_ROLE_ARN: deployer.arn });
      expect(env).not.toHaveProperty('AWS_SESSION_TOKEN');
    });

    it('masks the account on request, before it is in any log', async () => {
      await start();
      const { masked } = await sign({ aws_role: deployer.arn, aws_mask_account: 'true' });

      expect(masked).toEqual(expect.arrayContaining(['123456789012']));
    });

    it.each(['Throttling', 'IDPCommunicationError'])('repeats a call that AWS answers with %s', async (code) => {
      await start();
      const body = `<ErrorResponse><Error><Code>${code}</Code><Message>Later.</Message></Error></ErrorResponse>`;
      fake.setFaults({ aws: [{ kind: 'status', status: 400, body }] });

      expect((await sign({ aws_role: deployer.arn })).error).toBeUndefined();
      expect(actions()).toHaveLength(2);
    });
  });

  describe('with existing credentials', () => {
    const existing = { aws_use_existing_credentials: 'true' };

    it('uses those that AWS accepts, and sets none again', async () => {
      await start();
      const end = await sign({ ...existing, aws_role: target.arn, aws_region: 'eu-west-1' }, keysInEnvironment());

      expect(end.error).toBeUndefined();
      expect(actions()).toEqual(['GetCallerIdentity']);
      expect(end.outputs).toEqual({ aws_account_id: '123456789012', aws_arn: fake.awsUser.arn });
      expect(Object.keys(end.env)).toEqual(['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_ENDPOINT_URL_STS']);
    });

    it.each([
      ['are refused', { AWS_SECRET_ACCESS_KEY: 'wrong-secret' }, {}],
      ['are missing', { AWS_ACCESS_KEY_ID: '' }, {}],
      ['belong to another account', {}, { aws_allowed_accounts: '210987654321' }],
    ])('signs in anew if they %s', async (_, env, inputs) => {
      await start({ awsRoles: [{ ...target, callers: /./ }] });
      const end = await sign({ ...existing, aws_role: target.arn, ...inputs }, { ...keysInEnvironment(), ...env });

      expect(end.error).toBeUndefined();
      expect(end.outputs.aws_account_id).toBe('210987654321');
    });

    it.each([
      ['are refused', { AWS_SECRET_ACCESS_KEY: 'wrong-secret' }, {}, 'aws_call_refused'],
      ['belong to another account', {}, { aws_allowed_accounts: '210987654321' }, 'aws_account_not_allowed'],
    ])('fails without a role if they %s', async (_, env, inputs, reason) => {
      await start();
      const end = await sign({ ...existing, ...inputs }, { ...keysInEnvironment(), ...env });

      expect(end).toMatchObject({ error: { reason }, outputs: {}, env: {} });
    });

    it('does not take an outage for a refusal', async () => {
      await start({ faults: { aws: statuses(...Array<number>(9).fill(503)) } });

      expect(await sign({ ...existing, aws_role: deployer.arn }, keysInEnvironment())).toMatchObject({
        error: { reason: 'service_unavailable' },
      });
      expect(actions()).not.toContain('AssumeRoleWithWebIdentity');
    });
  });

  it('hands nothing out if a registry cannot be reached', async () => {
    await start();
    const inputs = { ...keys(), aws_docker_registries: 'public.ecr.aws' };
    const end = await sign(inputs, { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1' });

    expect(end).toMatchObject({ error: { reason: 'proxy_failed' }, outputs: {}, env: {}, state: {} });
    expect(end.error?.message).toContain('api.ecr-public.us-east-1.amazonaws.com');
  });

  it('refuses the account of keys before it hands them out', async () => {
    await start();
    const end = await sign({ ...keys(), aws_allowed_accounts: '111111111111' });

    expect(end).toMatchObject({ error: { reason: 'aws_account_not_allowed' }, outputs: {}, env: {}, state: {} });
    expect(end.error?.message).toContain('123456789012');
  });

  describe('with a profile', () => {
    const read = (name: string): string => readFileSync(home.file('.aws', name), 'utf8');
    const post = async ({ state }: InProcessRun): Promise<string> => {
      let log = '';
      const env = Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]));
      await runPost({ env, write: (text) => (log += text), revocationTimeoutMs: 1 });
      return log;
    };
    const write = (name: string, text: string): void => {
      mkdirSync(home.file('.aws'), { recursive: true });
      writeFileSync(home.file('.aws', name), text, { mode: 0o644 });
    };

    it('writes it for the owner only, sets no variables, and removes it in post', async () => {
      await start();
      const end = await sign({ aws_role: deployer.arn, aws_profile: 'deploy', aws_region: 'eu-west-1' });
      const key = lastSession()?.accessKeyId;

      expect(end.error).toBeUndefined();
      expect(end.env).toEqual({});
      expect(read('credentials')).toMatch(
        new RegExp(
          String.raw`^\[deploy\]\naws_access_key_id = ${key}\naws_secret_access_key = \S+\naws_session_token = \S+\n$`,
        ),
      );
      expect(read('config')).toBe('[profile deploy]\nregion = eu-west-1\n');
      expect(statSync(home.file('.aws/credentials')).mode & 0o777).toBe(0o600);
      expect(statSync(home.file('.aws')).mode & 0o777).toBe(0o700);
      expect(fake.tokens.leaks(JSON.stringify([end.state, end.lines, end.summary]))).toEqual([]);
      expect(await post(end)).toContain('The profile of AWS has its previous state.\n');
      expect(readdirSync(home.file('.aws'))).toEqual([]);
    });

    it('keeps the others and their comments, also of a second step, and removes its own only', async () => {
      await start();
      const others = '# mine\n[default]\naws_access_key_id = a\n\n[ other ]\nx = 1 ; note\n';
      write('credentials', others);
      const first = await sign({ ...keys(), aws_profile: 'one' });
      const second = await sign({ ...keys(), aws_profile: 'two', aws_session_variables: 'true' });

      expect(second.env).toMatchObject({ AWS_PROFILE: 'two', AWS_ACCESS_KEY_ID: fake.awsUser.accessKeyId });
      expect(read('credentials')).toMatch(
        /^# mine\n\[default\]\n.*\n\n\[ other \]\nx = 1 ; note\n\[one\]\n[^]*\[two\]\n/,
      );
      await post(second);
      expect(read('credentials')).toContain('[one]');
      await post(first);
      expect(read('credentials')).toBe(others);
      expect(readdirSync(home.file('.aws'))).toEqual(['credentials']);
    });

    it('does not replace one, unless it may; then post restores it', async () => {
      await start();
      const previous = '[deploy]\naws_secret_access_key = an-earlier-secret-of-the-user\n';
      write('credentials', `${previous}[z]\na = b\n`);
      const inputs = { ...keys(), aws_profile: 'deploy' };
      const refused = await sign(inputs);

      expect(refused).toMatchObject({ error: { reason: 'aws_profile_exists' }, outputs: {}, env: {}, state: {} });
      expect(readdirSync(home.file('.aws'))).toEqual(['credentials']);
      const end = await sign({ ...inputs, aws_overwrite_profile: 'true' });
      expect(read('credentials')).toMatch(/^\[deploy\]\naws_access_key_id = AKIA[^]*\[z\]\na = b\n$/);
      expect(end.masked).toContain('an-earlier-secret-of-the-user');
      await post(end);
      expect(read('credentials')).toBe(`${previous}[z]\na = b\n`);
    });

    it('keeps a profile that a later step replaced, and says so', async () => {
      await start();
      const end = await sign({ ...keys(), aws_profile: 'deploy' });
      write('credentials', '[deploy]\naws_access_key_id = other\n');

      expect(await post(end)).toContain('was not removed (it was replaced)');
      expect(read('credentials')).toContain('other');
    });

    it('removes it again if a later part of the step fails', async () => {
      await start();
      const setOutput = (): void => {
        throw new Error('ENOSPC');
      };
      const env = { RUNNER_TEMP: home.file('temp'), HOME: home.path };
      const inputs = { ...keys(), aws_sts_endpoint: fake.bases.aws, aws_profile: 'deploy' };

      await expect(runInProcess(fake, { inputs, env, runtime: { setOutput } })).rejects.toThrow('ENOSPC');
      expect(readdirSync(home.file('.aws'))).toEqual([]);
    });

    it('writes to the files that the variables name', async () => {
      await start();
      const files = { AWS_SHARED_CREDENTIALS_FILE: home.file('c'), AWS_CONFIG_FILE: '~/d' };
      await sign({ ...keys(), aws_profile: 'default', aws_region: 'eu-west-1' }, files);

      expect(readFileSync(home.file('c'), 'utf8')).toContain('[default]\n');
      expect(readFileSync(home.file('d'), 'utf8')).toBe('[default]\nregion = eu-west-1\n');
    });

    it('fails if there is no home for it, or the file is none', async () => {
      await start();
      expect(await sign({ ...keys(), aws_profile: 'a' }, { HOME: '' })).toMatchObject({
        error: { reason: 'aws_profile_failed' },
      });
      mkdirSync(home.file('.aws/credentials'), { recursive: true });
      expect(await sign({ ...keys(), aws_profile: 'a' })).toMatchObject({ error: { reason: 'aws_profile_failed' } });
    });
  });
});
