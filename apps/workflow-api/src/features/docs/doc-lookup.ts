import { lstat } from 'node:fs/promises';
import { isSystemError } from '@weir/foundation';
import { confinedPath } from '@weir/workflow-engine';
import { docExists, docsFolderNotWritable } from './doc-errors';

export const extension = '.md';

/** Finds documents and directories below a folder, never through a link. */
export function createDocLookup(folder: string) {
  const locate = async (relative: string, makesFolders = false): Promise<string | undefined> => {
    const found = await confinedPath(folder, relative, { makesFolders });
    if ('path' in found) return found.path;
    if (makesFolders) throw docsFolderNotWritable(found.problem);
    return undefined;
  };
  const findEntry = async (relative: string) => {
    const located = await locate(relative);
    const stats = located === undefined ? undefined : await lstat(located).catch(undefinedWhenMissing);
    return located === undefined || stats === undefined ? undefined : { path: located, stats };
  };
  const findFile = async (id: string) => {
    const found = await findEntry(`${id}${extension}`);
    return found?.stats.isFile() === true ? found : undefined;
  };
  const findDirectory = async (id: string) => {
    const found = await findEntry(id);
    return found?.stats.isDirectory() === true ? found : undefined;
  };
  const assertFree = async (id: string): Promise<void> => {
    const entries = await Promise.all([findEntry(id), findEntry(`${id}${extension}`)]);
    if (entries.some((entry) => entry !== undefined)) throw docExists(id);
  };

  return { locate, findFile, findDirectory, assertFree };
}

export function undefinedWhenMissing(error: unknown): undefined {
  if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
  throw error;
}
