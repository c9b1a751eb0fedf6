import type { ServiceCall, ServiceResponse } from '../cloud/service-call';
import { signInToAws } from './aws';
import { signInToAzure } from './azure';

const answer = (body: string) => {
  const calls: ServiceCall[] = [];
  const masked: string[] = [];
  return {
    calls,
    masked,
    context: {
      oidcToken: 'a.b.c',
      send: (call: ServiceCall): Promise<ServiceResponse> => {
        calls.push(call);
        return Promise.resolve({ status: 200, body, retryAfter: undefined, date: undefined, location: undefined });
      },
      mask: (secret: string) => void masked.push(secret),
      malformed: (_: ServiceCall, what: string) => new Error(what),
    },
  };
};

describe('signInToAws', () => {
  const settings = {
    roleArn: 'arn:aws:iam::123456789012:role/deployer',
    region: undefined,
    audience: 'sts.amazonaws.com',
    sessionName: 'ci',
    stsEndpoint: 'https://sts.amazonaws.com',
    isEndpointSet: false,
    outputsSession: false,
  };
  const session = '<AccessKeyId>i</AccessKeyId><SecretAccessKey>s/+=</SecretAccessKey><SessionToken>t</SessionToken>';

  it('sets no region and no endpoint without an input, and names the role if the response names no session', async () => {
    const { context, calls, masked } = answer(session);
    const signedIn = await signInToAws(context, settings);

    expect(signedIn.principal).toBe(settings.roleArn);
    expect(signedIn.variables('/t/aws')).toEqual([
      ['AWS_ROLE_ARN', settings.roleArn],
      ['AWS_ROLE_SESSION_NAME', 'ci'],
      ['AWS_WEB_IDENTITY_TOKEN_FILE', '/t/aws'],
    ]);
    expect(calls[0]).toMatchObject({ url: new URL('https://sts.amazonaws.com/'), secrets: ['a.b.c'] });
    expect(masked).toEqual(['s/+=', 't']);
  });

  it.each(['AccessKeyId', 'SecretAccessKey', 'SessionToken'])('fails without %s', async (name) => {
    const { context } = answer(session.replaceAll(name, 'Other'));

    await expect(signInToAws(context, settings)).rejects.toThrow('has no session credentials');
  });
});

describe('signInToAzure', () => {
  const settings = {
    tenantId: 'tenant',
    clientId: 'client',
    subscriptionId: undefined,
    audience: 'api://AzureADTokenExchange',
    authorityHost: 'https://login.microsoftonline.com',
  };

  it('sets no subscription without an input', async () => {
    const { context, masked } = answer('{"access_token":"t"}');
    const names = (await signInToAzure(context, settings)).variables('/t/azure').map(([name]) => name);

    expect(names.filter((name) => name.includes('SUBSCRIPTION'))).toEqual([]);
    expect(masked).toEqual(['t']);
  });

  it.each(['{"access_token":""}', 'x'])('fails for %s', async (body) => {
    await expect(signInToAzure(answer(body).context, settings)).rejects.toThrow('has no token');
  });
});
