import { AppError } from '@weir/foundation';
import type { UserRole } from '@weir/workflow-contract';

export function credentialInvalid(): AppError {
  return new AppError('unauthenticated', 'The credential is missing or not valid.', { reason: 'credential_invalid' });
}

export function roleMissing(needed: UserRole): AppError {
  return new AppError('forbidden', `This requires the role ${needed} or a higher one.`, { reason: 'role_missing' });
}

export function workspaceNotFound(name: string): AppError {
  return new AppError('not_found', `There is no workspace "${name}".`, { reason: 'workspace_not_found' });
}

export function authDisabledForSetup(): AppError {
  return new AppError('forbidden', 'Sign-in is disabled on this server.', { reason: 'auth_disabled' });
}

export function authDisabled(): AppError {
  return new AppError('unauthenticated', 'Sign-in is disabled on this server.', { reason: 'auth_disabled' });
}

export function setupCompleted(): AppError {
  return new AppError('forbidden', 'The set-up is complete: users exist.', { reason: 'setup_completed' });
}

export function setupTokenWrong(): AppError {
  const message =
    'The set-up needs the token that the server printed at its start (auth/setup_token in its home folder).';
  return new AppError('forbidden', message, { reason: 'setup_token_wrong' });
}

export function loginFailed(): AppError {
  return new AppError('unauthenticated', 'The username or the password is wrong.', { reason: 'login_failed' });
}

export function userDisabled(): AppError {
  return new AppError('unauthenticated', 'This user is disabled.', { reason: 'user_disabled' });
}

export function currentPasswordWrong(): AppError {
  return new AppError('unauthenticated', 'The current password is wrong.', { reason: 'current_password_wrong' });
}

export function hasNoPassword(): AppError {
  return new AppError('forbidden', 'The caller is not a user with a password.', { reason: 'no_password' });
}

export function tooManyAttempts(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', 'Too many failed attempts. Wait before the next one.', {
    reason: 'too_many_attempts',
    details: { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) },
  });
}
