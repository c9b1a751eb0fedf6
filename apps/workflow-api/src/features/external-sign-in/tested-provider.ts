import { AppError } from '@weir/foundation';
import { Secret } from '@weir/service-kit';
import type { OidcTestSettings } from '@weir/workflow-contract/schemas';
import { isSecureAddress } from '../../oidc';
import { defaultGroupsClaim, defaultScopes } from '../../config/external-sign-in-settings';

/** Converts settings of a request to the server's form. Throws `request_invalid` where others could read what is sent. */
export function toTestedProvider({ clientSecret, scopes, groupsClaim, ...settings }: OidcTestSettings) {
  for (const name of ['issuer', 'clientUrl'] as const) {
    if (!isSecureAddress(settings[name])) {
      throw new AppError('invalid_request', `${name} must be an https address; http is for this machine only.`, {
        reason: 'request_invalid',
      });
    }
  }
  return {
    ...settings,
    clientUrl: new URL(settings.clientUrl).origin,
    clientSecret: clientSecret === undefined ? undefined : new Secret(clientSecret),
    scopes: scopes ?? defaultScopes,
    groupsClaim: groupsClaim ?? defaultGroupsClaim,
  };
}
