import { AppError } from '@weir/errors';

/** Fails an action. The message is shown and stored: it names the setting, never its value. */
export function actionFailed(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { reason: 'action_failed', cause });
}

/** The code that the system or Node gives an error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}
