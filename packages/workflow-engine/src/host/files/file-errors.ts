import { isAppError, type AppError } from '@weir/foundation';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from './error-code';

const words: Readonly<Record<string, string>> = {
  ENOENT: 'was not found',
  ENOTDIR: 'is not a folder, or is below a file',
  EISDIR: 'is a folder',
  EEXIST: 'already exists',
  ERR_FS_CP_EEXIST: 'already exists',
  ENOTEMPTY: 'is a folder that is not empty',
  EACCES: 'is not accessible to this user',
  EPERM: 'is not accessible to this user',
  ELOOP: 'is a link, which is only followed with follow_symlinks',
  ENAMETOOLONG: 'is too long',
  ENOSPC: 'does not fit: the disk is full',
  EROFS: 'is on a read-only disk',
  EXDEV: 'is on another disk',
  ENXIO: 'is a pipe without a reader',
  ERR_INVALID_ARG_VALUE: 'contains a NUL character',
};

/** Describes the problem with the file that a setting names. The path may hold a secret and is not repeated. */
export function fileFailed(setting: string, error: unknown): AppError {
  const code = errorCode(error) ?? 'unknown error';
  return actionFailed(`${setting} ${words[code] ?? 'cannot be used'} (${code}).`, error);
}

export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Runs the work and reports its file errors as failures of the setting. */
export async function namingSetting<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw errorCode(error) === undefined || isAppError(error) ? error : fileFailed(setting, error);
  }
}
