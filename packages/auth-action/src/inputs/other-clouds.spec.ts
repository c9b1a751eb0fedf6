import { federation, readAllSettings as read, readRefusedInputs } from '../testing/read-inputs';

const role = 'arn:aws:iam::123456789012:role/ci/deployer';
const ids = {
  azure_tenant_id: '11111111-1111-4111-8111-111111111111',
  azure_client_id: '22222222-2222-4222-8222-22222222222A',
};

describe('readSettings', () => {
  it('reads AWS without Google Cloud', () => {
    const env = { GITHUB_REPOSITORY: 'octo-org/app', GITHUB_RUN_ID: '7' };

    expect(read({ aws_role: role }, env)).toMatchObject({
      google: undefined,
      clouds: {
        aws: {
          roles: [role],
          region: undefined,
          audience: 'sts.amazonaws.com',
          session: { name: 'octo-org-app-7', durationSeconds: undefined, managedPolicies: [] },
          stsEndpoint: 'https://sts.amazonaws.com',
          isEndpointSet: false,
          outputsSession: false,
          handsOutToken: true,
        },
        azure: undefined,
      },
      endpoints: { sts: 'https://sts.googleapis.com' },
    });
  });

  it.each([
    [{ aws_region: 'eu-west-1' }, { stsEndpoint: 'https://sts.eu-west-1.amazonaws.com', session: { name: 'ci' } }],
    [
      { aws_role: role.replace('aws', 'aws-cn'), aws_region: 'cn-north-1' },
      { stsEndpoint: 'https://sts.cn-north-1.amazonaws.com.cn' },
    ],
    [
      { aws_sts_endpoint: 'http://127.0.0.1:1/aws', aws_role_session_name: 'me@ci', aws_session_outputs: 'true' },
      { stsEndpoint: 'http://127.0.0.1:1/aws', isEndpointSet: true, session: { name: 'me@ci' }, outputsSession: true },
    ],
  ])('reads AWS with %j', (inputs, settings) => {
    expect(read({ aws_role: role, ...inputs }).clouds.aws).toMatchObject(settings);
  });

  it('reads Azure beside Google Cloud', () => {
    const { google, clouds } = read({ ...federation, ...ids });

    expect(google).toBeDefined();
    expect(clouds.azure).toEqual({
      credential: { kind: 'federated', audience: 'api://AzureADTokenExchange' },
      tenantId: ids.azure_tenant_id,
      clientId: ids.azure_client_id.toLowerCase(),
      subscriptionIds: [],
      environment: 'AzureCloud',
      authorityHost: 'https://login.microsoftonline.com',
      resourceManager: 'https://management.azure.com',
      terraformName: 'public',
      tools: { cli: 'auto', powershell: false, clearsAccounts: false, signsOut: true },
    });
  });

  it.each([
    ['a role that is no ARN', { aws_role: 'deployer' }, 'aws_role_invalid', 'arn:aws:iam::<account>:role/<name>'],
    ['a quoted role', { aws_role: `"${role}"` }, 'text_quoted', 'aws_role'],
    ['a region that is none', { aws_role: role, aws_region: 'Ireland' }, 'aws_region_invalid', 'eu-west-1'],
    ['a session with a space', { aws_role: role, aws_role_session_name: 'a b' }, 'aws_session_name_invalid', '2 to 64'],
    ['a region without a role', { ...federation, aws_region: 'eu-west-1' }, 'aws_role_missing', 'Input aws_role'],
    ['an id that is none', { ...ids, azure_client_id: 'app' }, 'azure_id_invalid', 'hexadecimal'],
    ['a tenant alone', { azure_tenant_id: ids.azure_tenant_id }, 'azure_id_missing', 'Input azure_client_id'],
    ['a client alone', { azure_client_id: ids.azure_client_id }, 'azure_id_missing', 'Input azure_tenant_id'],
  ])('refuses %s', (_, inputs, reason, sentence) => {
    const refusal = readRefusedInputs(inputs);

    expect(refusal).toMatchObject({ reason });
    expect(refusal.message).toContain(sentence);
  });
});
