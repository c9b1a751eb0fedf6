import { rmdir } from 'node:fs/promises';
import { isSystemError } from '@weir/errors';
import type { Logger } from '../ports/logger';

/** Keeps a folder that holds something. A folder that cannot be removed stops nobody: that is reported. */
export async function removeEmptyFolder(folder: string, logger: Logger): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST')) return;
    logger.warn({ folder, error }, 'empty work folder could not be removed');
  }
}
