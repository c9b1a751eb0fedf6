import { AppError } from '@weir/foundation';

export function apiKeyNotFound(id: string): AppError {
  return new AppError('not_found', `There is no API key with the id "${id}".`, { reason: 'api_key_not_found' });
}

export function apiKeyNameTaken(name: string): AppError {
  return new AppError('conflict', `The name "${name}" is taken.`, { reason: 'api_key_name_taken' });
}

export function keyOwnerInvalid(problem: string): AppError {
  return new AppError('invalid_request', problem, { reason: 'key_owner_invalid' });
}

export function expiryTooFar(): AppError {
  return new AppError('invalid_request', 'The expiry must be before the year 10000.', { reason: 'request_invalid' });
}

export function expiryInPast(): AppError {
  return new AppError('invalid_request', 'The expiry must be in the future.', { reason: 'expiry_in_past' });
}
