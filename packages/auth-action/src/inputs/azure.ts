import type { ActionsRuntime } from '../runner/actions-runtime';
import { parseAzureCredentials, parseAzureId } from './azure-credentials';
import { parseAzureEnvironment } from './azure-environment';
import type { AzureCredential, AzureSettings, AzureTools } from './cloud-settings';
import { parseEndpoint } from './endpoints';
import type { InputReader } from './input-reader';
import { parseList, spaceOrComma } from './list';
import { invalidInput, validInput, type InputReason, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';
import { parseBoolean } from './switches';
import { parseAudience } from './texts';

const ids = ['azure_tenant_id', 'azure_client_id', 'azure_subscription_id'] as const;

/** Returns `undefined` if the job does not sign in to Azure. Secrets are masked. */
export function readAzure(
  reader: InputReader,
  runtime: Pick<ActionsRuntime, 'mask' | 'inputDefaults'>,
): AzureSettings | undefined {
  const isManaged = reader.read('azure_managed_identity', parseBoolean);
  const credentials = reader.readOptional('azure_credentials_json', (text) =>
    parseAzureCredentials(text, (secret) => runtime.mask(secret)),
  );
  const tenantId = reader.readOptional('azure_tenant_id', parseAzureId) ?? credentials?.tenantId;
  const clientId = reader.readOptional('azure_client_id', parseAzureId) ?? credentials?.clientId;
  const subscriptionIds =
    reader.readOptional('azure_subscription_id', (text) => parseList(text, parseAzureId, spaceOrComma)) ??
    (credentials?.subscriptionId === undefined ? [] : [credentials.subscriptionId]);
  const audience = reader.read('azure_audience', parseAudience);
  const credential = chooseCredential(isManaged, credentials?.clientSecret, audience);
  const place = readPlace(reader, credentials?.resourceManager);
  const tools = readTools(reader);
  const hasJson = reader.text('azure_credentials_json') !== undefined;
  const isAnySet = Object.entries(runtime.inputDefaults).some(
    ([name, fallback]) => name.startsWith('azure_') && (reader.text(name) ?? '') !== fallback,
  );
  if (!isAnySet) return undefined;
  reportIds(reader, { isManaged, hasJson });
  if ((isManaged || hasJson) && audience !== runtime.inputDefaults.azure_audience) {
    refuseUnused(reader, 'azure_audience', 'the OIDC token');
  }
  reportTools(reader, { isManaged, isStack: place.authorityHost === undefined, tools, subscriptionIds });
  if (!isManaged && (tenantId === undefined || clientId === undefined)) return undefined;
  return { credential, tenantId, clientId, subscriptionIds, ...place, tools };
}

function chooseCredential(isManaged: boolean, secret: string | undefined, audience: string): AzureCredential {
  if (isManaged) return { kind: 'managed' };
  return secret === undefined ? { kind: 'federated', audience } : { kind: 'secret', secret };
}

function readPlace(
  reader: InputReader,
  fromJson: string | undefined,
): Pick<AzureSettings, 'environment' | 'authorityHost' | 'resourceManager' | 'terraformName'> {
  const environment = reader.read('azure_environment', parseAzureEnvironment);
  const authorityHost = reader.readOptional('azure_authority_host', parseEndpoint) ?? environment.authorityHost;
  const given = reader.readOptional('azure_resource_manager_endpoint', parseEndpoint);
  const { name, terraformName } = environment;
  if (environment.resourceManager !== undefined) {
    if (given !== undefined) refuseUnused(reader, 'azure_resource_manager_endpoint', 'azure_environment: AzureStack');
    return { environment: name, authorityHost, resourceManager: environment.resourceManager, terraformName };
  }
  const resourceManager = given ?? fromJson;
  if (resourceManager === undefined) {
    const message = 'has no value, but azure_environment is AzureStack. Set it to the URL of your Resource Manager.';
    report(reader, 'azure_resource_manager_endpoint', 'azure_endpoint_missing', message);
  }
  if (authorityHost !== undefined) refuseUnused(reader, 'azure_authority_host', 'environments other than AzureStack');
  return { environment: name, authorityHost: undefined, resourceManager: resourceManager ?? '', terraformName };
}

function readTools(reader: InputReader): AzureTools {
  return {
    cli: reader.read('azure_cli', parseCli),
    powershell: reader.read('azure_powershell', parseBoolean),
    clearsAccounts: reader.read('azure_clear_accounts', parseBoolean),
    signsOut: reader.read('azure_sign_out', parseBoolean),
  };
}

function parseCli(text: string): ParsedInput<AzureTools['cli']> {
  if (text.toLowerCase() === 'auto') return validInput('auto');
  const parsed = parseBoolean(text);
  if (parsed.ok) return validInput(parsed.value ? 'always' : 'never');
  return invalidInput('boolean_invalid', `is ${quoteInput(text)}. Use auto, true or false.`);
}

function reportIds(reader: InputReader, { isManaged, hasJson }: { isManaged: boolean; hasJson: boolean }): void {
  if (hasJson && (isManaged || ids.some((name) => reader.text(name) !== undefined))) {
    const message = `is set, and so is ${isManaged ? 'azure_managed_identity' : 'an id'}. Use the credentials, or the other inputs, not both.`;
    report(reader, 'azure_credentials_json', 'azure_credentials_ambiguous', message);
  }
  if (isManaged || hasJson) return;
  for (const name of ['azure_tenant_id', 'azure_client_id'] as const) {
    if (reader.text(name) !== undefined) continue;
    const message =
      'has no value, but other inputs for Azure do. Set it; in pull requests of forks, secrets are empty.';
    report(reader, name, 'azure_id_missing', message);
  }
}

interface Sources {
  readonly isManaged: boolean;
  readonly isStack: boolean;
  readonly tools: AzureTools;
  readonly subscriptionIds: readonly string[];
}

/** Only the tools can sign in as a managed identity and to Azure Stack. */
function reportTools(reader: InputReader, { isManaged, isStack, tools, subscriptionIds }: Sources): void {
  const { cli, powershell } = tools;
  const [input, what] = isManaged ? ['azure_managed_identity', 'true'] : ['azure_environment', 'AzureStack'];
  if (isManaged || isStack) {
    if (cli === 'never' && !powershell) {
      const message = `is ${what}, which only the tools of Azure sign in with. Set azure_cli or azure_powershell to true.`;
      report(reader, input, 'azure_tool_missing', message);
    }
    if (reader.read('check', parseBoolean)) {
      const message = `is ${what}, which only the tools of Azure sign in with, and check starts none. Remove check.`;
      report(reader, input, 'azure_input_unused', message);
    }
  }
  if (cli === 'never' && subscriptionIds.length > 1) {
    refuseUnused(reader, 'azure_subscription_id', 'one subscription without azure_cli');
  }
  if (cli === 'never' && !powershell && tools.clearsAccounts) {
    refuseUnused(reader, 'azure_clear_accounts', 'azure_cli and azure_powershell');
  }
}

function refuseUnused(reader: InputReader, name: string, what: string): void {
  report(reader, name, 'azure_input_unused', `has no effect, because it applies only to ${what}. Remove it.`);
}

function report(reader: InputReader, name: string, reason: InputReason, message: string): void {
  reader.report(name, invalidInput(reason, message));
}
