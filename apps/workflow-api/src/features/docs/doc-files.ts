import { lstat, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';
import type { RandomSource } from '../../adapters/random-source';
import { createFile, getSystemCode, readDagFile, replaceFile, syncFolder } from '../dags';
import { docExists, docInsideItself, docNotFound, docsFolderNotWritable, docsTooMany } from './doc-errors';
import { createDocLookup, extension, undefinedWhenMissing } from './doc-lookup';
import { isDocSegment } from './doc-path';

export interface DocFile {
  /** Path below the folder, without extension. */
  readonly id: string;
  readonly filePath: string;
  readonly text: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface DocEntry {
  readonly id: string;
  readonly modifiedAt: Date;
}

const maxDocs = 10_000;
const maxDepth = 100;
const notWritable = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'ENAMETOOLONG', 'ENOENT'] as const;

export type DocFiles = ReturnType<typeof createDocFiles>;

/** Accesses Markdown files below one folder. Links are not followed, and other files are left alone. */
export function createDocFiles({ folder, random }: { readonly folder: string; readonly random: RandomSource }) {
  const { locate, findFile, findDirectory, assertFree } = createDocLookup(folder);

  return {
    /** Returns `undefined` when the document does not exist, or cannot be read as text. */
    async read(id: string): Promise<DocFile | undefined> {
      const found = await findFile(id);
      if (found === undefined) return undefined;
      const content = await readDagFile(path.dirname(found.path), found.path);
      if (content?.kind !== 'text') return undefined;
      const { birthtime, mtime } = found.stats;
      return { id, filePath: found.path, text: content.text, createdAt: birthtime, updatedAt: mtime };
    },

    isDirectory: async (id: string): Promise<boolean> => (await findDirectory(id)) !== undefined,

    /** Lists every document below a directory, or below the folder. Throws `docs_too_many`. */
    async list(below: string, signal?: AbortSignal): Promise<readonly DocEntry[]> {
      const found: DocEntry[] = [];
      const root = below === '' ? await locate('') : (await findDirectory(below))?.path;
      if (root !== undefined) await collect(root, below, { found, depth: 0, signal });
      return found;
    },

    /** Throws `doc_exists` or `docs_folder_not_writable`. */
    create: (id: string, text: string): Promise<void> =>
      writing(async () => {
        await assertFree(id);
        const file = await locate(`${id}${extension}`, true);
        if (file !== undefined) await createFile(file, text, `.${random.uuid()}.tmp`);
      }, id),

    /** Throws `docs_folder_not_writable`. */
    replace: ({ id, filePath }: DocFile, text: string): Promise<void> =>
      writing(() => replaceFile(filePath, text, `.${random.uuid()}.tmp`), id),

    /** Removes the document, or else the directory of this path. Throws `doc_not_found` or `docs_folder_not_writable`. */
    remove: (id: string): Promise<void> =>
      writing(async () => {
        const found = (await findFile(id)) ?? (await findDirectory(id));
        if (found === undefined) throw docNotFound(id);
        await rm(found.path, { recursive: found.stats.isDirectory(), force: true });
        await removeEmptyFolders(path.dirname(found.path), folder);
      }, id),

    /** Throws `doc_not_found`, `doc_exists` or `docs_folder_not_writable`. */
    rename: (id: string, newId: string): Promise<void> =>
      writing(async () => {
        const file = await findFile(id);
        const found = file ?? (await findDirectory(id));
        if (found === undefined) throw docNotFound(id);
        await assertFree(newId);
        const target = await locate(file === undefined ? newId : `${newId}${extension}`, true);
        if (target === undefined) return;
        await rename(found.path, target);
        await syncFolder(path.dirname(target));
        await removeEmptyFolders(path.dirname(found.path), folder);
      }, newId),
  };
}

interface Collection {
  readonly found: DocEntry[];
  readonly depth: number;
  readonly signal: AbortSignal | undefined;
}

async function collect(folder: string, below: string, { found, depth, signal }: Collection): Promise<void> {
  signal?.throwIfAborted();
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(undefinedWhenMissing)) ?? []) {
    const name = entry.isFile() ? withoutExtension(entry.name) : entry.name;
    if (name === undefined || !isDocSegment(name)) continue;
    const id = below === '' ? name : `${below}/${name}`;
    const entryPath = path.join(folder, entry.name);
    if (entry.isDirectory() && depth < maxDepth) await collect(entryPath, id, { found, depth: depth + 1, signal });
    if (!entry.isFile()) continue;
    if (found.length === maxDocs) throw docsTooMany(maxDocs);
    const stats = await lstat(entryPath).catch(undefinedWhenMissing);
    if (stats !== undefined) found.push({ id, modifiedAt: stats.mtime });
  }
}

function withoutExtension(name: string): string | undefined {
  return name.endsWith(extension) ? name.slice(0, -extension.length) : undefined;
}

async function writing(work: () => Promise<void>, id: string): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isSystemError(error, 'EEXIST', 'ENOTEMPTY')) throw docExists(id);
    if (isSystemError(error, 'EINVAL')) throw docInsideItself(id);
    if (isSystemError(error, ...notWritable)) throw docsFolderNotWritable(getSystemCode(error));
    throw error;
  }
}

/** Removes empty directories, from a directory up to the folder. */
async function removeEmptyFolders(directory: string, folder: string): Promise<void> {
  let current = directory;
  while (path.relative(folder, current) !== '' && !path.relative(folder, current).startsWith('..')) {
    try {
      await rmdir(current);
    } catch (error) {
      if (isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return;
      throw error;
    }
    current = path.dirname(current);
  }
}
