import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isSystemError } from '@weir/foundation';
import { matchesWildcards } from '../../values/text/wildcards';

export interface SelectedFile {
  /** Relative to the source. */
  readonly path: string;
  readonly bytes: number;
}

/** Limits all files of a run together. */
export const dependencyBounds = { files: 8_192, bytes: 268_435_456 } as const;

const maxVisited = 100_000;

/**
 * The files below a folder that a declaration names: a file, a folder with all that is below it, or a pattern with `*`,
 * `?` and `**`. Throws `file_dependency_unusable` for none, for a link, and for what is no file or folder.
 */
export async function selectFiles(source: string, declaration: string): Promise<readonly SelectedFile[]> {
  const found = new Map<string, SelectedFile>();
  let visited = 0;
  const names = declaration.split('/').filter((name) => name !== '' && name !== '.');
  let matches = 0;

  async function select(path: string, rest: readonly string[]): Promise<void> {
    visited += 1;
    if (visited > maxVisited) throw unusable(declaration, 'visits too many files');
    const [name, ...others] = rest;
    if (name === undefined) await take(path);
    else if (name === '**') {
      await select(path, others);
      for (const folder of await list(path)) if (await isFolder(folder)) await select(folder, rest);
    } else if (/[*?]/.test(name)) {
      const all = await list(path);
      for (const each of all)
        if (matchesWildcards(each.slice(each.lastIndexOf('/') + 1), name)) await select(each, others);
    } else await select(path === '' ? name : `${path}/${name}`, others);
  }

  async function take(path: string): Promise<void> {
    const stats = await find(path);
    if (stats === undefined) return;
    matches += 1;
    if (stats.isDirectory()) for (const each of await list(path)) await take(each);
    else if (stats.isFile()) found.set(path, { path, bytes: stats.size });
    else throw unusable(declaration, `names a link or a special file: ${path}`);
  }

  async function list(path: string): Promise<readonly string[]> {
    const stats = await find(path);
    if (stats?.isDirectory() !== true) return [];
    const entries = (await readdir(join(source, path))).sort();
    return entries.filter((name) => name !== '.git').map((name) => (path === '' ? name : `${path}/${name}`));
  }

  async function find(path: string): Promise<Stats | undefined> {
    try {
      return await lstat(join(source, path));
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw unusable(declaration, 'cannot be read', error);
    }
  }

  const isFolder = async (path: string) => (await find(path))?.isDirectory() === true;

  await select('', names);
  if (matches === 0) throw unusable(declaration, 'matches no file');
  return [...found.values()];
}

export function unusable(declaration: string, problem: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `the file dependency ${JSON.stringify(declaration)} ${problem}`, {
    reason: 'file_dependency_unusable',
    cause,
  });
}
