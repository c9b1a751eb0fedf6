import { AppError } from '@weir/foundation';

/** A parameter in the address of the sign-in page, which has a text for each reason. */
export const failureParameter = 'sign-in-failed';

/** The reasons why a sign-in with another provider can fail. */
export const signInFailures: readonly string[] = [
  ...['sign_in_expired', 'sign_in_refused', 'provider_unavailable', 'email_not_allowed', 'no_role', 'user_disabled'],
  ...['groups_incomplete', 'no_user', 'setup_needed', 'proxy_not_trusted', 'role_expression_failed'],
];

/** The attempt was begun in another browser, was begun long ago, or was used before. */
export function signInExpired(): AppError {
  return new AppError('unauthenticated', 'This sign-in was not begun in this browser, or has expired. Begin again.', {
    reason: 'sign_in_expired',
  });
}

/** There are no settings to test. */
export function oidcNotConfigured(): AppError {
  return new AppError('conflict', 'This server has no settings of that identity provider, and the request has none.', {
    reason: 'oidc_not_configured',
  });
}

/** The answer of the provider is not valid. */
export function signInRefused(cause?: unknown): AppError {
  return new AppError('unauthenticated', 'The provider refused the sign-in, or its answer is not genuine.', {
    reason: 'sign_in_refused',
    cause,
  });
}

export function emailNotAllowed(): AppError {
  return new AppError(
    'unauthenticated',
    'People with this e-mail address, or without a verified one, may not sign in.',
    {
      reason: 'email_not_allowed',
    },
  );
}

export function noRole(): AppError {
  return new AppError('unauthenticated', 'None of the groups of this person has a role here.', { reason: 'no_role' });
}

/** The problem has no values of claims. */
export function roleExpressionFailed(problem: string): AppError {
  return new AppError('unauthenticated', `The expression for roles fails for this person: ${problem}.`, {
    reason: 'role_expression_failed',
  });
}

/** Rights must not depend on groups that a provider may have left out. */
export function groupsIncomplete(): AppError {
  return new AppError('unauthenticated', 'The provider does not say all groups of this person: there are too many.', {
    reason: 'groups_incomplete',
  });
}

export function noUser(): AppError {
  return new AppError('unauthenticated', 'This person has no user here, and users are not created by signing in.', {
    reason: 'no_user',
  });
}

export function setupNeeded(): AppError {
  return new AppError('unauthenticated', 'The first admin is to be created before anyone else signs in.', {
    reason: 'setup_needed',
  });
}

export function proxyNotTrusted(): AppError {
  return new AppError('unauthenticated', 'Only the proxy that was configured may say who a person is.', {
    reason: 'proxy_not_trusted',
  });
}

export function returnAddressInvalid(): AppError {
  return new AppError('invalid_request', 'The address to return to must be a path of this server.', {
    reason: 'return_address_invalid',
  });
}
