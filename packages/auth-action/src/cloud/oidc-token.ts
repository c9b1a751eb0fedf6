import { AppError } from '@weir/errors';
import { safeAddress } from './address';
import type { Call } from './call';

/**
 * The call that gets the job's OIDC token. Fails with `id_token_permission_missing` where the runner offers none: it
 * sets the two variables only for a job with the permission `id-token: write`.
 */
export function oidcTokenCall(env: Readonly<Record<string, string | undefined>>, audience: string): Call {
  const address = env.ACTIONS_ID_TOKEN_REQUEST_URL;
  const requestToken = env.ACTIONS_ID_TOKEN_REQUEST_TOKEN;
  if (!address || !requestToken) throw permissionMissing();
  const url = safeAddress(address);
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
  const message = 'The job may not request an OIDC token: its permissions lack "id-token: write".';
  return new AppError('forbidden', message, { reason: 'id_token_permission_missing', details: { service: 'oidc' } });
}
