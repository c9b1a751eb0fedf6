import { providerAudience } from '../cloud/identifiers';
import { oidcTokenCall } from '../cloud/oidc-token';
import type { Settings } from '../settings';
import type { Workflow } from '../workflow';

// Client libraries refuse a shorter one.
const shortestLifetimeSeconds = 600;

/**
 * The text of the credentials file: the key as it came, or how client libraries exchange the job's OIDC token
 * themselves. The latter holds what the job asks for tokens with, so it is as secret as a key while the job runs.
 *
 * Fails with `forbidden` and reason `id_token_permission_missing` in federation without the runner's token service.
 */
export function credentialsFileOf(settings: Settings, env: Workflow['env']): string {
  const { identity, universe } = settings;
  const content =
    identity.mode === 'key'
      ? { universe_domain: universe, ...identity.key.json }
      : {
          type: 'external_account',
          universe_domain: universe,
          audience: providerAudience(identity.provider.name),
          subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
          token_url: `${settings.endpoints.sts}/v1/token`,
          token_info_url: `${settings.endpoints.sts}/v1/introspect`,
          credential_source: credentialSource(identity.audience, env),
          ...(identity.serviceAccount !== undefined && impersonation(settings, identity.serviceAccount)),
        };
  return JSON.stringify(content);
}

function credentialSource(audience: string, env: Workflow['env']): object {
  const { url, headers } = oidcTokenCall(env, audience);
  return { url: url.href, headers, format: { type: 'json', subject_token_field_name: 'value' } };
}

function impersonation({ endpoints, file }: Settings, serviceAccount: string): object {
  // Client libraries read the account's email out of this address, so its `@` stays as it is.
  const account = encodeURIComponent(serviceAccount).replaceAll('%40', '@');
  return {
    service_account_impersonation_url: `${endpoints.iamCredentials}/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
    service_account_impersonation: {
      token_lifetime_seconds: Math.max(file.tokenLifetimeSeconds, shortestLifetimeSeconds),
    },
  };
}
