import { parseJsonObject } from '../runner/json-object';
import { findQuotes, findUnexpanded } from './common-mistakes';
import { parseEndpoint } from './endpoints';
import { maskLines } from './key';
import { invalidInput, validInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';

/** What `az ad sp create-for-rbac --json-auth` prints, as far as it is used. */
export interface AzureCredentials {
  readonly tenantId: string;
  readonly clientId: string;
  /** Secret. */
  readonly clientSecret: string;
  readonly subscriptionId: string | undefined;
  readonly resourceManager: string | undefined;
}

const maxSecretLength = 1024;

export function parseAzureId(text: string): ParsedInput<string> {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return validInput(text.toLowerCase());
  return invalidInput(
    'azure_id_invalid',
    `is ${quoteInput(text)}, which is not an id of Azure. Use 32 hexadecimal digits in five groups with hyphens.`,
  );
}

/** Masks the text and the secret in it before any check that can fail. No message repeats a value. */
export function parseAzureCredentials(text: string, mask: (secret: string) => void): ParsedInput<AzureCredentials> {
  maskLines(text, mask);
  const slip = findQuotes(text) ?? findUnexpanded(text);
  if (slip !== undefined) return slip;
  const json = parseJsonObject(text);
  if (json === undefined) return invalid('is not a JSON object');
  const read = (name: string): string => {
    const value = json[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const [clientId, clientSecret, tenantId] = [read('clientId'), read('clientSecret'), read('tenantId')];
  mask(clientSecret);
  const missing = Object.entries({ clientId, clientSecret, tenantId }).flatMap(([name, value]) =>
    value ? [] : [name],
  );
  if (missing.length > 0) return invalid(`has no ${missing.join(', no ')}`);
  const subscriptionId = read('subscriptionId');
  for (const [name, id] of Object.entries({ clientId, tenantId, subscriptionId })) {
    if (id !== '' && !parseAzureId(id).ok) return invalid(`has a ${name} that is not an id of Azure`);
  }
  if (!/^[\x20-\x7e]+$/.test(clientSecret) || clientSecret.length > maxSecretLength) {
    return invalid('has a clientSecret that is not one line of text');
  }
  const resourceManager = read('resourceManagerEndpointUrl');
  const endpoint = resourceManager === '' ? undefined : parseEndpoint(resourceManager);
  if (endpoint?.ok === false) return invalid('has a resourceManagerEndpointUrl that is not an https URL');
  return validInput({
    tenantId: tenantId.toLowerCase(),
    clientId: clientId.toLowerCase(),
    clientSecret,
    subscriptionId: subscriptionId === '' ? undefined : subscriptionId.toLowerCase(),
    resourceManager: endpoint?.value,
  });
}

function invalid(what: string): ParsedInput<never> {
  return invalidInput(
    'azure_credentials_invalid',
    `${what}. Store what this prints: az ad sp create-for-rbac --json-auth.`,
  );
}
