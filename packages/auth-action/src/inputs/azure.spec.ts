import { aRuntime, readAllSettings as read, readRefusedInputs } from '../testing/read-inputs';
import { readOtherInputs } from './other-clouds';
import { readSettings } from './read-settings';

const ids = {
  azure_tenant_id: '11111111-1111-4111-8111-111111111111',
  azure_client_id: '22222222-2222-4222-8222-222222222222',
};
const subscription = '33333333-3333-4333-8333-33333333333A';
const credentials = (changes: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    clientId: ids.azure_client_id,
    clientSecret: 'a-secret~of.an_application',
    tenantId: ids.azure_tenant_id,
    ...changes,
  });

describe('the inputs for Azure', () => {
  it('are read from credentials, of which every line and the secret are masked, but no brace alone', () => {
    const text = `{\n${credentials({ subscriptionId: subscription, galleryEndpointUrl: 'https://gallery.azure.com/' }).slice(1)}`;
    const { runtime, masked } = aRuntime({ azure_credentials_json: text });

    expect(readSettings(runtime, readOtherInputs).clouds.azure).toMatchObject({
      credential: { kind: 'secret', secret: 'a-secret~of.an_application' },
      tenantId: ids.azure_tenant_id,
      clientId: ids.azure_client_id,
      subscriptionIds: [subscription.toLowerCase()],
    });
    expect(masked.filter((secret) => secret !== '')).toEqual([text.slice(2), 'a-secret~of.an_application']);
  });

  it.each([
    [{ azure_managed_identity: 'true' }, { credential: { kind: 'managed' }, clientId: undefined, tenantId: undefined }],
    [
      { ...ids, azure_subscription_id: `${subscription}\n${ids.azure_tenant_id}` },
      { subscriptionIds: [subscription.toLowerCase(), ids.azure_tenant_id] },
    ],
    [
      { ...ids, azure_environment: 'azurechinacloud' },
      { environment: 'AzureChinaCloud', terraformName: 'china' },
    ],
    [
      { ...ids, azure_environment: 'AzureUSGovernment', azure_authority_host: 'https://login.example' },
      { authorityHost: 'https://login.example', resourceManager: 'https://management.usgovcloudapi.net' },
    ],
    [
      { ...ids, azure_environment: 'AzureStack', azure_resource_manager_endpoint: 'https://management.example/' },
      { authorityHost: undefined, resourceManager: 'https://management.example' },
    ],
    [
      {
        azure_environment: 'AzureStack',
        azure_credentials_json: credentials({ resourceManagerEndpointUrl: 'https://management.example/' }),
      },
      { resourceManager: 'https://management.example', credential: { kind: 'secret' } },
    ],
    [{ ...ids, azure_cli: 'True' }, { tools: { cli: 'always' } }],
    [{ ...ids, azure_cli: '0', azure_sign_out: 'false' }, { tools: { cli: 'never', signsOut: false } }],
  ])('%j are read', (inputs, settings) => {
    expect(read(inputs).clouds.azure).toMatchObject(settings);
  });

  const json = (changes: Readonly<Record<string, unknown>>) => ({ azure_credentials_json: credentials(changes) });
  it.each([
    [
      'an unknown environment',
      { ...ids, azure_environment: 'Azure' },
      'azure_environment_invalid',
      'AzureUSGovernment',
    ],
    ['Azure Stack without a place', { ...ids, azure_environment: 'AzureStack' }, 'azure_endpoint_missing', 'Set it'],
    [
      'a place of a cloud that has its own',
      { ...ids, azure_resource_manager_endpoint: 'https://management.example' },
      'azure_input_unused',
      'AzureStack',
    ],
    [
      'a place of Entra for Azure Stack',
      {
        ...ids,
        azure_environment: 'AzureStack',
        azure_resource_manager_endpoint: 'https://a.example',
        azure_authority_host: 'https://b.example',
      },
      'azure_input_unused',
      'other than AzureStack',
    ],
    [
      'credentials that are no JSON',
      { azure_credentials_json: 'secret-text' },
      'azure_credentials_invalid',
      'not a JSON',
    ],
    ['incomplete credentials', json({ clientSecret: '' }), 'azure_credentials_invalid', 'has no clientSecret'],
    ['credentials of a name', json({ clientId: 'ci' }), 'azure_credentials_invalid', 'a clientId that is not an id'],
    ['a secret of two lines', json({ clientSecret: 'a\nb' }), 'azure_credentials_invalid', 'one line'],
    [
      'a place in credentials that is no URL',
      json({ resourceManagerEndpointUrl: 'http://a.example' }),
      'azure_credentials_invalid',
      'https URL',
    ],
    ['an environment only', { azure_environment: 'AzureChinaCloud' }, 'azure_id_missing', 'Input azure_tenant_id'],
    ['an audience of a secret', { ...json({}), azure_audience: 'api://own' }, 'azure_input_unused', 'OIDC token'],
    ['credentials beside ids', { ...json({}), ...ids }, 'azure_credentials_ambiguous', 'not both'],
    [
      'credentials beside a managed identity',
      { ...json({}), azure_managed_identity: 'true' },
      'azure_credentials_ambiguous',
      'azure_managed_identity',
    ],
    [
      'a managed identity without a tool',
      { azure_managed_identity: 'true', azure_cli: 'false' },
      'azure_tool_missing',
      'azure_powershell',
    ],
    ['a check of a managed identity', { azure_managed_identity: 'true', check: 'true' }, 'azure_input_unused', 'check'],
    [
      'several subscriptions that nothing compares',
      { ...ids, azure_subscription_id: `${subscription} ${subscription}`, azure_cli: 'false' },
      'azure_input_unused',
      'azure_cli',
    ],
    [
      'accounts of no tool',
      { ...ids, azure_clear_accounts: 'true', azure_cli: 'false' },
      'azure_input_unused',
      'azure_powershell',
    ],
    ['an unknown choice', { ...ids, azure_cli: 'yes' }, 'boolean_invalid', 'auto, true or false'],
  ])('are refused if they have %s', (_case, inputs, reason, text) => {
    const { reason: actual, message } = readRefusedInputs(inputs);

    expect([actual, message]).toEqual([reason, expect.stringContaining(text)]);
    expect(message).not.toContain('secret-text');
  });
});
