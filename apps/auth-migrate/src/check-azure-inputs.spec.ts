import { manual, migrate, using as usingAction, workflow } from './testing/check-workflow';

const peer = 'azure/login@v3';
const using = (...inputs: readonly string[]) => usingAction(peer, inputs);

const ids = ['client-id: ${{ vars.CLIENT }}', 'tenant-id: ${{ vars.TENANT }}'];
const ownIds = ['azure_client_id: ${{ vars.CLIENT }}', 'azure_tenant_id: ${{ vars.TENANT }}'];

describe('a step of the action of Azure', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    [
      'the OIDC token',
      [...ids, 'subscription-id: ${{ vars.SUBSCRIPTION }}', 'enable-AzPSSession: true', 'environment: azurechinacloud'],
      [
        ...ownIds,
        'azure_subscription_id: ${{ vars.SUBSCRIPTION }}',
        'azure_powershell: true',
        'azure_environment: azurechinacloud',
      ],
    ],
    ['an audience', [...ids, 'audience: api://own'], [...ownIds, 'azure_audience: api://own']],
    ['no subscription', [...ids, 'allow-no-subscriptions: true'], ownIds],
    ['credentials', ['creds: ${{ secrets.AZURE }}'], ['azure_credentials_json: ${{ secrets.AZURE }}']],
    [
      'credentials with an audience, which is ignored',
      ['creds: ${{ secrets.AZURE }}', 'audience: api://own'],
      ['azure_credentials_json: ${{ secrets.AZURE }}'],
    ],
    ['credentials beside ids, which are ignored', [...ids, 'creds: ${{ secrets.AZURE }}'], ownIds],
    ['a type that is the default', [...ids, 'auth-type: service_principal'], ownIds],
    ['a managed identity', ['auth-type: IDENTITY', 'creds: x', 'audience: y'], ['azure_managed_identity: true']],
  ])('with %s signs in as before', (_case, inputs, own) => {
    expect(migrate(using(...inputs))).toBe(usingAction('org/auth-action@v0', own));
    expect(manual(using(...inputs))).toEqual([]);
  });

  it('leaves to a person what only a run knows, and the variables for its cleanup', () => {
    expect(manual(using('auth-type: ${{ inputs.type }}'))).toEqual([
      expect.stringContaining('`azure_managed_identity`'),
    ]);
    expect(
      manual(
        workflow(
          `- uses: ${peer}`,
          '  env:',
          '    AZURE_LOGIN_POST_CLEANUP: false',
          '  with:',
          ...ids.map((id) => `    ${id}`),
        ),
      ),
    ).toEqual(['AZURE_LOGIN_POST_CLEANUP has no effect here: set the input `azure_sign_out`']);
  });
});
