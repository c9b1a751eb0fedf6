import { AppError } from '@weir/foundation';

export function codeRequired(): AppError {
  return new AppError('unauthenticated', 'The sign-in needs a code of the authenticator.', { reason: 'code_required' });
}

export function codeWrong(): AppError {
  return new AppError('unauthenticated', 'The code is wrong, or was used before.', { reason: 'code_wrong' });
}

export function secondFactorEnabled(): AppError {
  return new AppError('conflict', 'The user has a second factor.', { reason: 'second_factor_enabled' });
}

export function secondFactorNotBegun(): AppError {
  return new AppError('conflict', 'No set-up of a second factor was begun.', { reason: 'second_factor_not_begun' });
}

export function secondFactorNotFound(): AppError {
  return new AppError('not_found', 'The user has no second factor.', { reason: 'second_factor_not_found' });
}
