import { AppError } from '@weir/errors';

/** Ends an action as failed. The message is shown and stored: it names the setting, never what it holds. */
export function actionFailed(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { reason: 'action_failed', cause });
}

/** Whether the error is one that the system or Node names with a code such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}
