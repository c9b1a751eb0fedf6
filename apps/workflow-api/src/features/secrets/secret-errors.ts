import { AppError } from '@weir/foundation';

export function secretNotFound(id: string): AppError {
  return new AppError('not_found', `There is no secret with the id "${id}".`, { reason: 'secret_not_found' });
}

export function secretRefTaken(ref: string): AppError {
  return new AppError('conflict', `The workspace has a secret "${ref}" already.`, { reason: 'secret_ref_taken' });
}

export function secretChanged(): AppError {
  return new AppError('conflict', 'The secret got another value at the same time.', { reason: 'secret_changed' });
}

export function secretValueUnusable(rule: string): AppError {
  return new AppError('invalid_request', `The value ${rule}.`, { reason: 'secret_value_unusable' });
}
