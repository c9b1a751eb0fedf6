import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
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
    ['an unknown action', { Action: 'AssumeRole' }, 400, 'InvalidAction'],
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
