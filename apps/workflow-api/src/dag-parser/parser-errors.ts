import { AppError, isAppError } from '@weir/foundation';

export function parserBusy(): AppError {
  return new AppError('unavailable', 'Too many large specs are waiting to be parsed. Try again soon.', {
    reason: 'parser_busy',
    details: { retryAfterSeconds: 2 },
  });
}

export function parserStopped(): AppError {
  return new AppError('unavailable', 'The server is stopping.', { reason: 'parser_stopped' });
}

export function specTooCostly(cause?: unknown): AppError {
  return new AppError('invalid_request', 'Parsing this spec takes more time or memory than the server allows.', {
    reason: 'spec_too_costly',
    cause,
  });
}

/** Whether the spec itself is too costly, so that a retry is pointless. */
export function isSpecTooCostly(error: unknown): error is AppError {
  return isAppError(error) && error.reason === 'spec_too_costly';
}

export function parserFailed(cause: unknown): AppError {
  return new AppError('internal', 'The DAG parser exited while it parsed a spec.', { cause });
}
