import { rmdir } from 'node:fs/promises';
import { isSystemError } from '@weir/errors';
import type { Logger } from '../ports/logger';

/** A folder that is not empty stays. A failure is only logged. */
export async function removeEmptyFolder(folder: string, logger: Logger): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST')) return;
    logger.warn({ folder, error }, 'empty work folder could not be removed');
  }
}
