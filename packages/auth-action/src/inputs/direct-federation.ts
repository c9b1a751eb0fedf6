import type { InputReader } from './input-reader';
import { invalidInput } from './parsed-input';

/** Whether the job has no service account: the federated token is its only token. */
export function isDirectFederation(reader: InputReader): boolean {
  const isSet = (name: string): boolean => reader.text(name) !== undefined;
  return isSet('workload_identity_provider') && !isSet('credentials_json') && !isSet('service_account');
}

/** Refuses a token that only a service account can have. */
export function checkDirectFederation(reader: InputReader): void {
  if (!isDirectFederation(reader)) return;
  const format = reader.text('token_format');
  const isAccessToken = format === 'access_token';
  const accountOptions = [
    ...(format === 'id_token' ? ['token_format id_token'] : []),
    ...['access_token_subject', 'delegates'].filter((name) => isAccessToken && reader.text(name) !== undefined),
  ];
  if (accountOptions.length === 0) return;
  const message = `has no value, but is required for ${accountOptions.join(', ')}. Set the email of a service account.`;
  reader.report('service_account', invalidInput('account_missing', message));
}
