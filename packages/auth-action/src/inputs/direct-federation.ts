import type { InputReader } from './input-reader';
import { invalidInput } from './parsed-input';
import { defaultLifetimeSeconds } from './token';

/**
 * Without a service account the federated token is the only token, and it expires with the OIDC token of the job. Every
 * other option needs an account to impersonate.
 */
export function checkDirectFederation(reader: InputReader, lifetimeSeconds: number): void {
  const isSet = (name: string): boolean => reader.text(name) !== undefined;
  if (!isSet('workload_identity_provider') || isSet('credentials_json') || isSet('service_account')) return;
  const accountOptions = [
    ...(reader.text('token_format') === 'id_token' ? ['token_format id_token'] : []),
    ...(isSet('access_token_subject') ? ['access_token_subject'] : []),
    ...(isSet('delegates') ? ['delegates'] : []),
    ...(lifetimeSeconds === defaultLifetimeSeconds ? [] : ['access_token_lifetime']),
  ];
  if (accountOptions.length === 0) return;
  const message = `has no value, but is required for ${accountOptions.join(', ')}. Set the email of a service account.`;
  reader.report('service_account', invalidInput('account_missing', message));
}
