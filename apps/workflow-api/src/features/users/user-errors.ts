import { AppError } from '@weir/foundation';

export function userNotFound(id: string): AppError {
  return new AppError('not_found', `There is no user with the id "${id}".`, { reason: 'user_not_found' });
}

export function usernameTaken(username: string): AppError {
  return new AppError('conflict', `The username "${username}" is taken.`, { reason: 'username_taken' });
}

export function externalIdTaken(): AppError {
  return new AppError('conflict', 'This person is another user already.', { reason: 'external_id_taken' });
}

/** The user signs in with another provider. */
export function hasNoPassword(): AppError {
  return new AppError('forbidden', 'The user signs in with another provider and has no password.', {
    reason: 'no_password',
  });
}

export function lastAdmin(): AppError {
  return new AppError('forbidden', 'This would leave no enabled admin.', { reason: 'last_admin' });
}

export function ownAccount(deed: 'delete' | 'disable'): AppError {
  return new AppError('forbidden', `You cannot ${deed} your own account.`, { reason: 'own_account' });
}

export function workspaceAccessInvalid(problem: string): AppError {
  return new AppError('invalid_request', problem, { reason: 'workspace_access_invalid' });
}

export function passwordWeak(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'password_weak' });
}
