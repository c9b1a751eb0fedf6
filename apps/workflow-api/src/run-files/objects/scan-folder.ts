import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';

export interface ScannedFile {
  /** Relative, with `/` between names. */
  readonly path: string;
  readonly size: number;
  /** Another value after each change that can be seen without reading. */
  readonly signature: string;
  readonly inode: number;
}

/** The regular files below a folder, without links. None where there is no folder. */
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

/** A step may remove what is being read. */
function ignoreMissing(error: unknown): undefined {
  if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
  throw error;
}
