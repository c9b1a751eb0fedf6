import { AppError } from '@weir/foundation';
import { parseSafeUrl } from './address';
import type { ServiceCall } from './service-call';

/**
 * The call that requests the OIDC token of the job. Fails with `id_token_permission_missing` without the two variables,
 * which the runner sets only for jobs with the permission `id-token: write`.
 */
export function oidcTokenCall(env: Readonly<Record<string, string | undefined>>, audience: string): ServiceCall {
  const address = env.ACTIONS_ID_TOKEN_REQUEST_URL;
  const requestToken = env.ACTIONS_ID_TOKEN_REQUEST_TOKEN;
  if (!address || !requestToken) throw permissionMissing();
  const url = parseSafeUrl(address);
  url.searchParams.set('audience', audience);
  return {
    service: 'oidc',
    kind: 'OIDC token request',
    method: 'GET',
    url,
    headers: { Authorization: `Bearer ${requestToken}` },
    secrets: [requestToken],
  };
}

function permissionMissing(): AppError {
  const message = 'The job cannot request an OIDC token: it lacks the permission "id-token: write".';
  return new AppError('forbidden', message, { reason: 'id_token_permission_missing', details: { service: 'oidc' } });
}
