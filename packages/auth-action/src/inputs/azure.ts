import type { AzureSettings } from './cloud-settings';
import { parseEndpoint } from './endpoints';
import type { InputReader } from './input-reader';
import { invalidInput, validInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';
import { parseAudience } from './texts';

/** Returns `undefined` without an application. */
export function readAzure(reader: InputReader): AzureSettings | undefined {
  const tenantId = reader.readOptional('azure_tenant_id', parseId);
  const clientId = reader.readOptional('azure_client_id', parseId);
  const subscriptionId = reader.readOptional('azure_subscription_id', parseId);
  const audience = reader.read('azure_audience', parseAudience);
  const authorityHost = reader.read('azure_authority_host', parseEndpoint);
  if (isAnySet(reader)) {
    for (const name of ['azure_tenant_id', 'azure_client_id'] as const) {
      if (reader.text(name) !== undefined) continue;
      reader.report(name, invalidInput('azure_id_missing', 'has no value, but other inputs for Azure do. Set it.'));
    }
  }
  if (tenantId === undefined || clientId === undefined) return undefined;
  return { tenantId, clientId, subscriptionId, audience, authorityHost };
}

function isAnySet(reader: InputReader): boolean {
  const ids = ['azure_tenant_id', 'azure_client_id', 'azure_subscription_id'];
  return ids.some((name) => reader.text(name) !== undefined);
}

function parseId(text: string): ParsedInput<string> {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return validInput(text.toLowerCase());
  return invalidInput(
    'azure_id_invalid',
    `is ${quoteInput(text)}, which is not an id of Azure. Use 32 hexadecimal digits in five groups with hyphens.`,
  );
}
