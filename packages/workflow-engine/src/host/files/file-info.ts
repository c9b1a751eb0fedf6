import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { isMissing } from './file-errors';

export interface FileInfo {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** Octal digits. */
  readonly mode: string;
  readonly modified_at: string;
}

/** `undefined` when there is no such file. */
export async function findStats(path: string, isLinkFollowed: boolean): Promise<Stats | undefined> {
  try {
    return isLinkFollowed ? await stat(path) : await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function toFileInfo(stats: Stats): FileInfo {
  return {
    kind: toFileKind(stats),
    size: stats.size,
    mode: (stats.mode & 0o7777).toString(8).padStart(4, '0'),
    modified_at: stats.mtime.toISOString(),
  };
}

function toFileKind(stats: Stats): FileInfo['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'other';
}
