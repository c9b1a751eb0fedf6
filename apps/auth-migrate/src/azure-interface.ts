import type { CloudField } from './aws-interface';

const to = (name: string): CloudField['here'] => ({ is: 'renamed', to: name });
const read = (name: string): CloudField['here'] => ({ is: 'read', to: name });

/** The inputs of the action of Azure, up to version 3. It has no outputs. */
export const azureInputs: readonly CloudField[] = [
  { name: 'client-id', here: to('azure_client_id') },
  { name: 'tenant-id', here: to('azure_tenant_id') },
  { name: 'subscription-id', here: to('azure_subscription_id') },
  { name: 'creds', here: read('azure_credentials_json') },
  { name: 'enable-AzPSSession', here: to('azure_powershell') },
  { name: 'environment', here: to('azure_environment') },
  { name: 'allow-no-subscriptions', here: { is: 'unneeded', why: 'no subscription is required here' } },
  { name: 'audience', here: read('azure_audience') },
  { name: 'auth-type', here: read('azure_managed_identity') },
];

/** Variables by which the action of Azure cleans up, and the inputs for that. */
export const cleanUpVariables: ReadonlyMap<string, string> = new Map([
  ['AZURE_LOGIN_PRE_CLEANUP', 'azure_clear_accounts'],
  ['AZURE_LOGIN_POST_CLEANUP', 'azure_sign_out'],
]);
