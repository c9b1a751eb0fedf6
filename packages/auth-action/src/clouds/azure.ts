import { parseJsonObject } from '../runner/json-object';
import type { ServiceCall } from '../cloud/service-call';
import type { AzureSettings } from '../inputs/cloud-settings';
import type { CloudContext, CloudSignIn } from './cloud-sign-in';

/**
 * Requests a token of the application with the OIDC token, which proves that later steps can. Clients request theirs with
 * the token file.
 */
export async function signInToAzure(context: CloudContext, settings: AzureSettings): Promise<CloudSignIn> {
  const { tenantId, clientId, subscriptionId, authorityHost, audience } = settings;
  const oidcToken = await context.requestOidcToken(audience);
  const call = tokenCall(settings, oidcToken);
  const { body } = await context.send(call);
  const token = parseJsonObject(body)?.access_token;
  if (typeof token !== 'string' || token === '') throw context.malformed(call, 'has no token in "access_token"');
  context.mask(token);
  return {
    cloud: 'Azure',
    principal: clientId,
    token: {
      fileName: 'azure',
      audience,
      oidcToken,
      output: 'azure_federated_token_file',
      variables: (file) => [
        ['AZURE_CLIENT_ID', clientId],
        ['AZURE_TENANT_ID', tenantId],
        ['AZURE_FEDERATED_TOKEN_FILE', file],
        ['AZURE_AUTHORITY_HOST', `${authorityHost}/`],
        // The names that the providers of Terraform read.
        ['ARM_CLIENT_ID', clientId],
        ['ARM_TENANT_ID', tenantId],
        ['ARM_USE_OIDC', 'true'],
        ['ARM_OIDC_TOKEN_FILE_PATH', file],
      ],
    },
    variables:
      subscriptionId === undefined
        ? []
        : [
            ['AZURE_SUBSCRIPTION_ID', subscriptionId],
            ['ARM_SUBSCRIPTION_ID', subscriptionId],
          ],
    outputs: [],
    registries: [],
    profile: undefined,
  };
}

function tokenCall({ tenantId, clientId, authorityHost }: AzureSettings, oidcToken: string): ServiceCall {
  const fields = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: oidcToken,
    scope: 'https://management.azure.com/.default',
  };
  return {
    service: 'azure',
    kind: 'federated sign-in',
    method: 'POST',
    url: new URL(`${authorityHost}/${tenantId}/oauth2/v2.0/token`),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    secrets: [oidcToken],
  };
}
