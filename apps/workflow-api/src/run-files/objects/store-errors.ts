import { AppError } from '@weir/foundation';

export function storeUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The store of logs and artifacts cannot be reached, or refuses access.', {
    reason: 'store_unavailable',
    cause,
  });
}
