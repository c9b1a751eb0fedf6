import { AppError } from '@weir/foundation';
import { errorCode } from '../files/error-code';

export function logsNotWritable(cause: unknown): AppError {
  const message = `The log files of the step cannot be written (${errorCode(cause) ?? 'unknown error'}).`;
  return new AppError('unavailable', message, { reason: 'logs_not_writable', cause });
}
