import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSystemError } from '@weir/foundation';

/** Without links, as far as the path exists. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES') || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
