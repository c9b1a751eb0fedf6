import { lstat, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/errors';

/** Where the file is, or why it has no place below the folder; the problem follows a word for the path. */
export type ConfinedPath = { readonly path: string } | { readonly problem: string };

export interface ConfinedPathOptions {
  /** Whether folders on the way that are missing are made, for their owner only. */
  readonly makesFolders: boolean;
}

const maxFolders = 100;
const codes = ['EACCES', 'ENAMETOOLONG', 'ENOSPC', 'EROFS', 'ENOENT', 'ENOTDIR'] as const;

/**
 * The absolute path of something in a folder of artifacts, by its path there, with `/` between names; empty for the
 * folder itself. No folder on the way may be a link: it could lead anywhere. What stands at the path itself is not
 * looked at, so whoever opens it must not follow a link either. Nothing is told of the absolute path.
 */
export async function confinedPath(
  root: string,
  relative: string,
  { makesFolders }: ConfinedPathOptions,
): Promise<ConfinedPath> {
  const names = splitNames(relative);
  if (names === undefined) return { problem: 'must be a relative path without ".."' };
  if (names.length > maxFolders) return { problem: `goes through more than ${maxFolders} folders` };
  const name = names.at(-1);
  try {
    if (makesFolders) await mkdir(root, { recursive: true, mode: 0o700 });
    const base = await realpath(root);
    if (name === undefined) return { path: base };
    const folders = names.slice(0, -1);
    let at = base;
    for (const folder of folders) {
      at = path.join(at, folder);
      if (makesFolders) await makeFolder(at);
      if (!(await lstat(at)).isDirectory()) return { problem: 'leads through something that is no folder' };
    }
    // A folder that became a link while it was looked at leads somewhere else by now.
    const isInside = (await realpath(at)) === path.join(base, ...folders);
    return isInside ? { path: path.join(at, name) } : { problem: 'leads through a link' };
  } catch (error) {
    const code = codes.find((each) => isSystemError(error, each));
    if (code === undefined) throw error;
    return { problem: code === 'ENOENT' ? 'was not found (ENOENT)' : `cannot be used (${code})` };
  }
}

/** Nothing for a path that leaves the folder, or could on another system. */
function splitNames(relative: string): readonly string[] | undefined {
  if (/^[/\\]|^[A-Za-z]:|\0/.test(relative) || relative.split(/[/\\]/).includes('..')) return undefined;
  return relative.split('/').filter((name) => name !== '' && name !== '.');
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
}
