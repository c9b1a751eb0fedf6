import type { ServiceCall, ServiceResponse } from '../cloud/service-call';
import type { AwsSettings } from '../inputs/cloud-settings';
import { readAllSettings } from '../testing/read-inputs';
import { signInToAws } from './aws';
import { signInToAzure } from './azure';

const answer = (...bodies: readonly string[]) => {
  const calls: ServiceCall[] = [];
  const masked: string[] = [];
  return {
    calls,
    masked,
    context: {
      requestOidcToken: () => Promise.resolve('a.b.c'),
      send: (call: ServiceCall): Promise<ServiceResponse> => {
        const body = bodies[calls.length] ?? bodies.at(-1) ?? '';
        calls.push(call);
        return Promise.resolve({ status: 200, body, retryAfter: undefined, date: undefined, location: undefined });
      },
      mask: (secret: string) => void masked.push(secret),
      malformed: (_: ServiceCall, what: string) => new Error(what),
      now: () => Date.UTC(2027, 0, 31),
    },
  };
};

describe('signInToAws', () => {
  const role = 'arn:aws:iam::123456789012:role/deployer';
  const read = (inputs: Readonly<Record<string, string>>): AwsSettings => {
    const { aws } = readAllSettings(inputs).clouds;
    if (aws === undefined) throw new Error('The inputs are not for AWS.');
    return aws;
  };
  const session = '<AccessKeyId>i</AccessKeyId><SecretAccessKey>s/+=</SecretAccessKey><SessionToken>t</SessionToken>';
  const key = { aws_access_key_id: 'AKIA0123456789ABCDEF', aws_secret_access_key: 'secret-secret-secret' };
  const caller = '<Arn>arn:aws:iam::123456789012:user/ci</Arn>';

  it('sets no region and no endpoint without an input, and names the role if the response names no session', async () => {
    const { context, calls, masked } = answer(session);
    const signedIn = await signInToAws(context, read({ aws_role: role }));

    expect(signedIn.principal).toBe(role);
    expect(signedIn.variables).toEqual([]);
    expect(signedIn.token?.variables('/t/aws')).toEqual([
      ['AWS_ROLE_ARN', role],
      ['AWS_ROLE_SESSION_NAME', 'ci'],
      ['AWS_WEB_IDENTITY_TOKEN_FILE', '/t/aws'],
    ]);
    expect(calls[0]).toMatchObject({ url: new URL('https://sts.amazonaws.com/'), secrets: ['a.b.c'] });
    expect(masked).toEqual(['i', 's/+=', 't']);
  });

  it.each(['AccessKeyId', 'SecretAccessKey', 'SessionToken'])('fails without %s', async (name) => {
    const { context } = answer(session.replaceAll(name, 'Other'));

    await expect(signInToAws(context, read({ aws_role: role }))).rejects.toThrow('has no session credentials');
  });

  it('fails if the caller has no name', async () => {
    await expect(signInToAws(answer('<a/>').context, read(key))).rejects.toThrow('has no ARN');
  });

  it.each([
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com', 'api.ecr.eu-west-1.amazonaws.com', '/eu-west-1/ecr/'],
    ['123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn', 'api.ecr.cn-north-1.amazonaws.com.cn', '/cn-north-1/ecr/'],
    ['123456789012.dkr.ecr-fips.us-east-1.amazonaws.com', 'ecr-fips.us-east-1.amazonaws.com', '/us-east-1/ecr/'],
    ['public.ecr.aws', 'api.ecr-public.us-east-1.amazonaws.com', '/us-east-1/ecr-public/'],
  ])('requests what Docker signs in to %s with at %s', async (registry, host, scope) => {
    const auth = Buffer.from('AWS:p').toString('base64');
    const { context, calls, masked } = answer(caller, `{"authorizationData":[{"authorizationToken":"${auth}"}]}`);
    const { registries } = await signInToAws(context, read({ ...key, aws_docker_registries: registry }));

    expect(registries).toEqual([{ host: registry, auth }]);
    expect(calls[1]?.url.host).toBe(host);
    expect(calls[1]?.headers.Authorization).toContain(scope);
    expect(masked).toEqual([auth, 'p']);
  });

  it.each(['{}', '{"authorizationData":[{"authorizationToken":"a b"}]}', 'x'])(
    'fails if the registry answers %s',
    async (body) => {
      const { context } = answer(caller, body);
      const settings = read({ ...key, aws_docker_registries: 'public.ecr.aws' });

      await expect(signInToAws(context, settings)).rejects.toThrow('has no token in "authorizationToken"');
    },
  );
});

describe('signInToAzure', () => {
  const { azure: settings } = readAllSettings({
    azure_tenant_id: '11111111-1111-4111-8111-111111111111',
    azure_client_id: '22222222-2222-4222-8222-222222222222',
  }).clouds;
  if (settings === undefined) throw new Error('The inputs are not for Azure.');

  it('sets no subscription without an input', async () => {
    const { context, masked } = answer('{"access_token":"t"}');

    expect((await signInToAzure(context, settings)).variables).toEqual([
      ['AZURE_AUTHORITY_HOST', 'https://login.microsoftonline.com/'],
    ]);
    expect(masked).toEqual(['t']);
  });

  it.each(['{"access_token":""}', 'x'])('fails for %s', async (body) => {
    await expect(signInToAzure(answer(body).context, settings)).rejects.toThrow('has no token');
  });
});
