import { AppError } from '@weir/foundation';

export function isolationFailed(cause: unknown): AppError {
  return new AppError('unavailable', 'The step cannot be isolated from the server, so it was not started.', {
    reason: 'isolation_failed',
    cause,
  });
}

export function pathClosed(path: string): AppError {
  return new AppError('invalid_request', `${path} belongs to the server or to another run, and is closed to steps.`, {
    reason: 'path_closed',
  });
}
