import type { ActionsRuntime } from '../actions-runtime';
import { providerAudience } from '../cloud/identifiers';
import { oidcTokenCall } from '../cloud/oidc-token';
import type { Settings } from '../settings';

/**
 * The content of the credentials file: the key as given, or the configuration with which client libraries exchange the
 * OIDC token of the job. The latter contains the bearer token for OIDC requests, so it is as secret as a key while the
 * job runs.
 *
 * Fails with `forbidden` and reason `id_token_permission_missing` if federation is used without `id-token: write`.
 */
export function formatCredentialsFile(settings: Settings, env: ActionsRuntime['env']): string {
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

function credentialSource(audience: string, env: ActionsRuntime['env']): object {
  const { url, headers } = oidcTokenCall(env, audience);
  return { url: url.href, headers, format: { type: 'json', subject_token_field_name: 'value' } };
}

function impersonation({ endpoints, file }: Settings, serviceAccount: string): object {
  // Client libraries parse the email out of this URL, so its `@` is not escaped.
  const account = encodeURIComponent(serviceAccount).replaceAll('%40', '@');
  return {
    service_account_impersonation_url: `${endpoints.iamCredentials}/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
    service_account_impersonation: { token_lifetime_seconds: file.tokenLifetimeSeconds },
  };
}
