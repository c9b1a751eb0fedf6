import { parseJsonObject } from '../runner/json-object';
import type { ServiceCall } from '../cloud/service-call';
import type { AzureCredential, AzureSettings } from '../inputs/cloud-settings';
import type { Variable } from '../report/variables';
import type { CloudContext, CloudSignIn, CloudToken } from './cloud-sign-in';

/**
 * Requests a token of the application, which proves that later steps can. Clients request theirs with the token file or
 * the secret. A managed identity and Azure Stack are left to the tools of Azure, which find their endpoints.
 */
export async function signInToAzure(context: CloudContext, settings: AzureSettings): Promise<CloudSignIn> {
  const { credential, clientId, tools } = settings;
  const oidcToken = credential.kind === 'federated' ? await context.requestOidcToken(credential.audience) : undefined;
  await proveToEntra(context, settings, oidcToken);
  const hasTools = tools.cli !== 'never' || tools.powershell;
  return {
    cloud: 'Azure',
    principal: clientId ?? 'the managed identity of this machine',
    token:
      credential.kind === 'federated' && oidcToken !== undefined
        ? toToken(settings, credential.audience, oidcToken)
        : undefined,
    variables: listVariables(settings),
    outputs: [],
    registries: [],
    profile: undefined,
    ...(hasTools && { azure: settings }),
  };
}

async function proveToEntra(
  context: CloudContext,
  { credential, tenantId, clientId, authorityHost, resourceManager }: AzureSettings,
  oidcToken: string | undefined,
): Promise<void> {
  if (credential.kind === 'managed' || authorityHost === undefined) return;
  const call: ServiceCall = {
    ...describeProof(credential, oidcToken),
    method: 'POST',
    url: new URL(`${authorityHost}/${String(tenantId)}/oauth2/v2.0/token`),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: String(clientId),
      ...proofFields(credential, oidcToken),
      scope: `${resourceManager}/.default`,
    }).toString(),
  };
  const { body } = await context.send(call);
  const token = parseJsonObject(body)?.access_token;
  if (typeof token !== 'string' || token === '') throw context.malformed(call, 'has no token in "access_token"');
  context.mask(token);
}

type Proof = Exclude<AzureCredential, { readonly kind: 'managed' }>;

function describeProof(credential: Proof, oidcToken = ''): Pick<ServiceCall, 'service' | 'kind' | 'secrets'> {
  if (credential.kind === 'federated') return { service: 'azure', kind: 'federated sign-in', secrets: [oidcToken] };
  return { service: 'azure_secret', kind: 'sign-in with the client secret', secrets: [credential.secret] };
}

function proofFields(credential: Proof, oidcToken = ''): Readonly<Record<string, string>> {
  if (credential.kind === 'secret') return { client_secret: credential.secret };
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: oidcToken,
  };
}

function toToken(settings: AzureSettings, audience: string, oidcToken: string): CloudToken {
  return {
    fileName: 'azure',
    audience,
    oidcToken,
    output: 'azure_federated_token_file',
    variables: (file) => [
      ...listIds(settings),
      ['AZURE_FEDERATED_TOKEN_FILE', file],
      ['ARM_USE_OIDC', 'true'],
      ['ARM_OIDC_TOKEN_FILE_PATH', file],
    ],
  };
}

/** Those with `ARM_` are the names that the providers of Terraform read. */
function listIds({ clientId, tenantId }: AzureSettings): readonly Variable[] {
  const both = (name: string, id: string | undefined): readonly Variable[] =>
    id === undefined
      ? []
      : [
          [`AZURE_${name}`, id],
          [`ARM_${name}`, id],
        ];
  return [...both('CLIENT_ID', clientId), ...both('TENANT_ID', tenantId)];
}

function listVariables(settings: AzureSettings): readonly Variable[] {
  const { credential, authorityHost, terraformName, subscriptionIds } = settings;
  const [subscription] = subscriptionIds;
  return [
    ...listCredential(settings, credential),
    ...(authorityHost === undefined ? [] : [['AZURE_AUTHORITY_HOST', `${authorityHost}/`] as const]),
    ...(terraformName === undefined || terraformName === 'public' ? [] : [['ARM_ENVIRONMENT', terraformName] as const]),
    ...(subscription === undefined
      ? []
      : [['AZURE_SUBSCRIPTION_ID', subscription] as const, ['ARM_SUBSCRIPTION_ID', subscription] as const]),
  ];
}

/** The variables of the token contain the ids of a federated sign-in. */
function listCredential(settings: AzureSettings, credential: AzureCredential): readonly Variable[] {
  if (credential.kind === 'federated') return [];
  if (credential.kind === 'managed') return [...listIds(settings), ['ARM_USE_MSI', 'true']];
  const { secret } = credential;
  return [...listIds(settings), ['AZURE_CLIENT_SECRET', secret], ['ARM_CLIENT_SECRET', secret]];
}
