import { AppError } from '@weir/foundation';

export function workerTokenTaken(name: string): AppError {
  return new AppError('conflict', `There is a worker token "${name}" already.`, { reason: 'worker_token_taken' });
}

export function workerTokenNotFound(name: string): AppError {
  return new AppError('not_found', `There is no worker token "${name}".`, { reason: 'worker_token_not_found' });
}
