import { AppError } from '@weir/foundation';

/** Fails an action. The message is shown and stored: it names the setting, never its value. */
export function actionFailed(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { reason: 'action_failed', cause });
}
