import { AppError } from '@weir/foundation';

/** A packaged action that cannot be had. The message is shown and stored. */
export function packageFailed(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { reason: 'package_unavailable', cause });
}
