import { AppError } from '@weir/foundation';

/**
 * Loads a separate bundle of `dist`, which most jobs do not need. Fails with `internal` and reason
 * `action_file_missing`.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { message } = Object(cause) as { readonly message?: unknown };
    throw new AppError('internal', `A file of the action could not be loaded: ${String(message)}.`, {
      reason: 'action_file_missing',
      cause,
    });
  }
}
