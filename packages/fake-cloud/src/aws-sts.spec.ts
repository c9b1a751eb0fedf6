import {
  AssumeRoleCommand,
  GetCallerIdentityCommand,
  STSClient,
  type AssumeRoleCommandInput,
} from '@aws-sdk/client-sts';
import { useFakeCloud } from './testing/use-fake-cloud';

const fixture = useFakeCloud();
const { start } = fixture;
const trusted = 'sts.amazonaws.com';

async function oidcToken(audience = trusted): Promise<string> {
  return String((await fixture.client.oidc(audience)).body.value);
}

function assumeRole(token: string, changes: Readonly<Record<string, string>> = {}) {
  return fixture.client.form(`${fixture.cloud.bases.aws}/`, {
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: fixture.cloud.awsRole.arn,
    RoleSessionName: 'ci',
    WebIdentityToken: token,
    ...changes,
  });
}

const read = (body: Readonly<Record<string, unknown>>, name: string): string =>
  new RegExp(`<${name}>([^<]*)`).exec(String(body.text))?.[1] ?? '';

async function session(changes: Readonly<Record<string, string>> = {}) {
  const { body } = await assumeRole(await oidcToken(), changes);
  return {
    accessKeyId: read(body, 'AccessKeyId'),
    secretAccessKey: read(body, 'SecretAccessKey'),
    sessionToken: read(body, 'SessionToken'),
  };
}

function nameCaller(credentials: Awaited<ReturnType<typeof session>>) {
  const client = new STSClient({ region: 'eu-west-1', endpoint: fixture.cloud.bases.aws, credentials });
  return client.send(new GetCallerIdentityCommand());
}

const target = 'arn:aws:iam::210987654321:role/target';

function assume(credentials: Awaited<ReturnType<typeof session>>, changes: Partial<AssumeRoleCommandInput> = {}) {
  const client = new STSClient({ region: 'eu-west-1', endpoint: fixture.cloud.bases.aws, credentials });
  return client.send(new AssumeRoleCommand({ RoleArn: target, RoleSessionName: 'next', ...changes }));
}

describe('AssumeRole', () => {
  const role = { arn: target, audience: 'none', subject: /^$/, callers: /./, maximumSessionSeconds: 43_200 };
  const user = () => ({ ...fixture.cloud.awsUser, sessionToken: undefined }) as never;

  it('gives the real client a session of the next role, with tags, policies and what is passed on', async () => {
    await start({ awsRoles: [role, { ...role, arn: `${target}-2` }] });
    const policy = '{"Version":"2012-10-17","Statement":[]}';
    const first = await assume(user(), {
      DurationSeconds: 7200,
      Policy: policy,
      PolicyArns: [{ arn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }],
      Tags: [
        { Key: 'Team', Value: 'web' },
        { Key: 'Branch', Value: '' },
      ],
      TransitiveTagKeys: ['Team'],
    });
    const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = first.Credentials ?? {};
    const keys = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    const tags = { Tags: [{ Key: 'Step', Value: '2' }], TransitiveTagKeys: [], PolicyArns: [] };
    const second = await assume(keys, { RoleArn: `${target}-2`, ...tags });

    expect(second.AssumedRoleUser?.Arn).toBe('arn:aws:sts::210987654321:assumed-role/target-2/next');
    expect(fixture.cloud.awsSessions()).toMatchObject([
      {
        inlinePolicy: policy,
        managedPolicies: ['arn:aws:iam::aws:policy/ReadOnlyAccess'],
        tags: { Team: 'web', Branch: '' },
      },
      { inlinePolicy: undefined, tags: { Team: 'web', Step: '2' }, transitiveTags: ['Team'] },
    ]);
    await expect(assume(keys, { DurationSeconds: 3601 })).rejects.toThrow('1 hour session limit');
    await expect(assume(keys, { Tags: [{ Key: 'Team', Value: 'x' }] })).rejects.toThrow(
      'conflicts with a transitive tag',
    );
  });

  it.each<readonly [string, Partial<AssumeRoleCommandInput>, Partial<typeof role> & object, string]>([
    ['a caller that the role does not trust', {}, { callers: /:user\/other$/ }, 'sts:AssumeRole on resource'],
    ['no external id', {}, { externalId: 'id' } as never, 'sts:AssumeRole on resource'],
    ['another external id', { ExternalId: 'x1' }, { externalId: 'id' } as never, 'sts:AssumeRole on resource'],
    ['an external id that the role does not expect', { ExternalId: 'x1' }, {}, 'sts:AssumeRole on resource'],
    [
      'tags that the role does not allow',
      { Tags: [{ Key: 'a', Value: 'b' }] },
      { allowsTags: false } as never,
      'sts:TagSession',
    ],
    ['more than the longest session', { DurationSeconds: 3601 }, { maximumSessionSeconds: 3600 }, 'MaxSessionDuration'],
    ['a tag with a forbidden character', { Tags: [{ Key: 'a', Value: '#' }] }, {}, 'tags.value'],
    ['an empty key', { Tags: [{ Key: '', Value: 'b' }] }, {}, 'tags.key'],
    [
      'a key twice',
      {
        Tags: [
          { Key: 'a', Value: '1' },
          { Key: 'A', Value: '2' },
        ],
      },
      {},
      'Duplicate tag keys',
    ],
    ['a transitive key without a tag', { TransitiveTagKeys: ['a'] }, {}, 'must be included'],
    ['a policy that is none', { Policy: '[]' }, {}, 'invalid Json'],
    ['a policy that is too long', { Policy: `{"Statement":[]}${' '.repeat(2048)}` }, {}, 'less than or equal to 2048'],
    ['an ARN that is no policy', { PolicyArns: [{ arn: target }] }, {}, 'not the ARN of a policy'],
  ])('refuses %s', async (_, changes, trust, message) => {
    await start({ awsRoles: [{ ...role, ...trust }] });

    await expect(assume(user(), changes)).rejects.toThrow(message);
  });
});

describe('AssumeRoleWithWebIdentity', () => {
  it('returns a session whose signature the service accepts from the real client', async () => {
    await start();

    expect(await nameCaller(await session())).toMatchObject({
      Arn: 'arn:aws:sts::123456789012:assumed-role/deployer/ci',
      Account: '123456789012',
    });
    expect(fixture.cloud.requests.at(-2)).toMatchObject({
      service: 'aws',
      body: { WebIdentityToken: '<oidc token 1>' },
    });
  });

  it('expires', async () => {
    await start();
    const credentials = await session({ DurationSeconds: '900' });
    fixture.clock.advance(901_000);

    await expect(nameCaller(credentials)).rejects.toMatchObject({ name: 'ExpiredToken' });
  });

  it.each([
    ['another secret key', { secretAccessKey: 'x' }],
    ['another session token', { sessionToken: 'x' }],
    ['an unknown key', { accessKeyId: 'AKIAX' }],
  ])('refuses a signature with %s', async (_, changes) => {
    await start();

    const credentials = { ...(await session()), ...changes };
    await expect(nameCaller(credentials)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
  });

  it('refuses a caller without a signature', async () => {
    await start();

    const fields = { Action: 'GetCallerIdentity', Version: '2011-06-15' };
    expect(await fixture.client.form(`${fixture.cloud.bases.aws}/`, fields)).toMatchObject({ status: 403 });
  });

  it.each([
    ['an unknown role', { RoleArn: 'arn:aws:iam::123456789012:role/x' }, 403, 'AccessDenied'],
    ['a name with a space', { RoleSessionName: 'a b' }, 400, 'ValidationError'],
    ['too short a session', { DurationSeconds: '899' }, 400, 'ValidationError'],
    ['a duration that is no number', { DurationSeconds: 'x' }, 400, 'ValidationError'],
    ['a longer session than the role allows', { DurationSeconds: '3601' }, 400, 'ValidationError'],
    ['an unknown field', { Other: '1' }, 400, 'ValidationError'],
    ['an unknown version', { Version: '1' }, 400, 'NoSuchVersion'],
    ['an unknown action', { Action: 'GetFederationToken' }, 400, 'InvalidAction'],
    ['a token that is none', { WebIdentityToken: 'x' }, 400, 'InvalidIdentityToken'],
  ])('refuses %s', async (_, changes, status, code) => {
    await start();

    const response = await assumeRole(await oidcToken(), changes);
    expect(response).toMatchObject({ status });
    expect(read(response.body, 'Code')).toBe(code);
  });

  it('refuses another audience, another subject and an expired token', async () => {
    await start();
    const old = await oidcToken();

    expect(read((await assumeRole(await oidcToken('https://a'))).body, 'Code')).toBe('InvalidIdentityToken');
    fixture.cloud.setClaims({ sub: 'repo:other/repo:ref:refs/heads/main' });
    expect(read((await assumeRole(await oidcToken())).body, 'Code')).toBe('AccessDenied');
    fixture.clock.advance(400_000);
    expect(read((await assumeRole(old)).body, 'Code')).toBe('ExpiredTokenException');
  });
});
