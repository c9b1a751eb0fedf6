import type { ActionsRuntime } from '../../runner/actions-runtime';
import { providerAudience } from '../../inputs/identifiers';
import type { OidcSource } from '../../inputs/oidc-source';
import { oidcTokenCall } from '../../cloud/oidc-token';
import type { Settings } from '../../inputs/settings';

/**
 * The content of the credentials file: the key as given, or the configuration with which client libraries exchange the
 * OIDC token of the job. `path` is that of the file. The latter contains the bearer token for OIDC requests, so it is as secret as a key while the
 * job runs.
 *
 * Fails with `forbidden` and reason `id_token_permission_missing` if federation is used without `id-token: write`.
 */
export function formatCredentialsFile(settings: Settings, env: ActionsRuntime['env'], path: string): string {
  const { identity, universe, oidcSource } = settings;
  const { quotaProject } = settings.file;
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
          ...(oidcSource.kind === 'token' && { oidc_token: oidcSource.token }),
          credential_source: credentialSource(oidcSource, identity.audience, { env, path }),
          ...(quotaProject !== undefined && { quota_project_id: quotaProject }),
          ...(identity.serviceAccount !== undefined && impersonation(settings, identity.serviceAccount)),
        };
  return JSON.stringify(content);
}

function credentialSource(
  source: OidcSource,
  audience: string,
  { env, path }: { readonly env: ActionsRuntime['env']; readonly path: string },
): object {
  if (source.kind === 'file') return { file: source.path, format: { type: 'text' } };
  // One file less to protect and remove: clients read the token from the credentials file itself.
  if (source.kind === 'token') {
    return { file: path, format: { type: 'json', subject_token_field_name: 'oidc_token' } };
  }
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
