import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '@weir/foundation';

export interface FolderBound {
  /** Limits all files together. */
  readonly maxBytes: number;
  /** Default: no limit. */
  readonly maxFiles?: number;
  /** Since a file was last used. */
  readonly maxAgeMs: number;
  readonly now: Date;
}

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/** Removes the files of a folder that were not used for the longest time, until the others are within the bound. */
export async function trimFolder(folder: string, bound: FolderBound): Promise<void> {
  const { maxBytes, maxFiles = Number.POSITIVE_INFINITY, maxAgeMs, now } = bound;
  const entries = (await listFiles(folder)).toSorted((left, right) => right.usedAt - left.usedAt);
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    bytes += entry.bytes;
    const isOver = bytes > maxBytes || index >= maxFiles || now.getTime() - entry.usedAt > maxAgeMs;
    if (isOver) await rm(entry.path, { force: true });
  }
}

async function listFiles(folder: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    try {
      const { size, mtimeMs } = await stat(path);
      entries.push({ path, bytes: size, usedAt: mtimeMs });
    } catch (error) {
      // Another process has removed it.
      if (!isSystemError(error, 'ENOENT')) throw error;
    }
  }
  return entries;
}
