import type { InputName } from './input-names';
import type { InputReader } from './input-reader';
import { wrong } from './parsed';
import { defaultLifetimeSeconds } from './token';

/**
 * Without a service account the job acts as the provider's own principal. Its one token is the federated one, which
 * lives as long as the platform's; all else is made by an account.
 */
export function checkDirectFederation(reader: InputReader, lifetimeSeconds: number): void {
  const isSet = (name: InputName): boolean => reader.text(name) !== undefined;
  if (!isSet('workload_identity_provider') || isSet('credentials_json') || isSet('service_account')) return;
  const needing = [
    ...(reader.text('token_format') === 'id_token' ? ['token_format id_token'] : []),
    ...(isSet('access_token_subject') ? ['access_token_subject'] : []),
    ...(isSet('delegates') ? ['delegates'] : []),
    ...(lifetimeSeconds === defaultLifetimeSeconds ? [] : ['access_token_lifetime']),
  ];
  if (needing.length === 0) return;
  const message = `has no value, but goes with ${needing.join(', ')}: only a service account can do that. Give its email.`;
  reader.report('service_account', wrong('account_missing', message));
}
