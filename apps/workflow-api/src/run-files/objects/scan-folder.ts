import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';

export interface ScannedFile {
  /** The relative path, with `/` between names. */
  readonly path: string;
  readonly size: number;
  /** The value changes with each change that can be detected without reading. */
  readonly signature: string;
  readonly inode: number;
}

/** Lists the regular files below a folder, without links. The list is empty where there is no folder. */
export async function scanFolder(folder: string): Promise<readonly ScannedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  const found: ScannedFile[] = [];
  for (const entry of entries ?? []) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const stats = await lstat(file).catch(ignoreMissing);
    if (!stats?.isFile()) continue;
    const { size, mtimeMs, ino } = stats;
    const relative = path.relative(folder, file).split(path.sep).join('/');
    found.push({ path: relative, size, signature: `${ino} ${size} ${mtimeMs}`, inode: ino });
  }
  return found;
}

/** A step may remove a file while it is being read. */
function ignoreMissing(error: unknown): undefined {
  if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
  throw error;
}
