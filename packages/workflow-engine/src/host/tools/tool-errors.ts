import { AppError } from '@weir/foundation';

/** A tool that cannot be had. The message is shown and stored. */
export function toolFailed(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { reason: 'tool_not_installed', cause });
}
