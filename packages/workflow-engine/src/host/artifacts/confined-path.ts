import { lstat, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';

/** The absolute path, or the problem, phrased to follow the name of the setting. */
export type ConfinedPath = { readonly path: string } | { readonly problem: string };

export interface ConfinedPathOptions {
  /** Whether missing parent folders are created, accessible by the owner only. */
  readonly makesFolders: boolean;
}

const maxFolders = 100;
const codes = ['EACCES', 'ENAMETOOLONG', 'ENOSPC', 'EROFS', 'ENOENT', 'ENOTDIR'] as const;

/**
 * Resolves a path, with `/` between names and empty for the folder itself, inside a folder of artifacts. No parent folder
 * may be a link, which could lead anywhere. The target itself is not checked, so it must be opened without following links.
 * Problems never contain the absolute path.
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
    // Detects a folder that was replaced by a link during the check.
    const isInside = (await realpath(at)) === path.join(base, ...folders);
    return isInside ? { path: path.join(at, name) } : { problem: 'leads through a link' };
  } catch (error) {
    const code = codes.find((each) => isSystemError(error, each));
    if (code === undefined) throw error;
    return { problem: code === 'ENOENT' ? 'was not found (ENOENT)' : `cannot be used (${code})` };
  }
}

/** `undefined` for a path that leaves the folder, or could do so on another system. */
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
