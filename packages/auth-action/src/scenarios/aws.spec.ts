import { readdirSync } from 'node:fs';
import { statuses } from '@weir/fake-cloud';
import { deployer, job, target, useAwsJob } from './testing/aws-job';

const { fake, home, start, keys, sign, lastSession } = useAwsJob();

describe('a step that signs in to AWS', () => {
  const keysInEnvironment = (): Record<string, string> => ({
    AWS_ACCESS_KEY_ID: fake().awsUser.accessKeyId,
    AWS_SECRET_ACCESS_KEY: fake().awsUser.secretAccessKey,
  });
  const actions = () =>
    fake()
      .requests.filter(({ service }) => service === 'aws')
      .map(({ body }) => (body as { Action?: string }).Action);

  describe('with keys', () => {
    it('proves them, and hands them out without a role', async () => {
      await start();
      const end = await sign(
        { ...keys(), aws_region: 'eu-west-1', aws_session_outputs: 'true' },
        { AWS_SESSION_TOKEN: 'x' },
      );

      expect(end.error).toBeUndefined();
      expect(end.env).toEqual({
        AWS_ACCESS_KEY_ID: fake().awsUser.accessKeyId,
        AWS_SECRET_ACCESS_KEY: fake().awsUser.secretAccessKey,
        AWS_SESSION_TOKEN: '',
        AWS_REGION: 'eu-west-1',
        AWS_DEFAULT_REGION: 'eu-west-1',
        AWS_ENDPOINT_URL_STS: fake().bases.aws,
      });
      expect(end.outputs).toEqual({
        aws_account_id: '123456789012',
        aws_arn: fake().awsUser.arn,
        aws_access_key_id: fake().awsUser.accessKeyId,
        aws_secret_access_key: fake().awsUser.secretAccessKey,
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
      expect(end.env.AWS_SECRET_ACCESS_KEY).not.toBe(fake().awsUser.secretAccessKey);
      expect(end.outputs.aws_arn).toBe(lastSession()?.principal);
    });

    it('completes the name of a role with their account', async () => {
      await start({ awsRoles: [{ ...deployer, arn: 'arn:aws:iam::123456789012:role/ci/deployer' }] });
      const end = await sign({ ...keys(), aws_role: 'ci/deployer', aws_allowed_accounts: '123456789012' });

      expect(end.error).toBeUndefined();
      expect(lastSession()?.principal).toMatch(/^arn:aws:sts::123456789012:assumed-role\/deployer\//);
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
      expect(end.error?.message).not.toContain(fake().awsUser.secretAccessKey);
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
      expect(fake().requests[1]?.body).toMatchObject({ DurationSeconds: '900' });
      expect(fake().requests[1]?.body).not.toHaveProperty('Tags.member.1.Key');
      expect(lastSession()?.tags).toMatchObject({ Repository: 'example-org/example-repo' });
      expect(end.outputs).toEqual({
        aws_account_id: '210987654321',
        aws_arn: 'arn:aws:sts::210987654321:assumed-role/target/example-org-example-repo-7',
      });
      expect(end.env).toMatchObject({ AWS_ACCESS_KEY_ID: lastSession()?.accessKeyId });
      expect(end.env).not.toHaveProperty('AWS_WEB_IDENTITY_TOKEN_FILE');
      expect(readdirSync(home().file('temp'))).toEqual([]);
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

    it('assumes the role until its secret key has no special characters', async () => {
      await start({ awsRoles: [{ ...deployer, plainKeyAfter: 2 }] });
      const end = await sign({ aws_role: deployer.arn, aws_plain_secret_key: 'true' });

      expect(end.error).toBeUndefined();
      expect(end.env.AWS_SECRET_ACCESS_KEY).toMatch(/^\w+$/);
      expect(end.masked).toContain(end.env.AWS_SECRET_ACCESS_KEY);
      expect(actions()).toHaveLength(3);
    });

    it('fails if no secret key is plain, and hands nothing out', async () => {
      await start();
      const end = await sign({ aws_role: deployer.arn, aws_plain_secret_key: 'true' });

      expect(end).toMatchObject({ error: { reason: 'aws_plain_key_missing' }, outputs: {}, env: {}, state: {} });
      expect(actions()).toHaveLength(50);
    });

    it('empties the variables of earlier credentials on request', async () => {
      await start();
      const earlier = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x', AWS_ROLE_ARN: 'x' };
      const inputs = { aws_role: deployer.arn, aws_unset_credentials: 'true', aws_sts_endpoint: fake().bases.aws };
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
      fake().setFaults({ aws: [{ kind: 'status', status: 400, body }] });

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
      expect(end.outputs).toEqual({ aws_account_id: '123456789012', aws_arn: fake().awsUser.arn });
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
});
