import { link, lstat, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';
import { isDagName } from '@weir/workflow-spec';
import type { RandomSource } from '../../adapters/random-source';
import { createFile, syncFolder } from './create-file';
import { dagExists, dagNameInvalid, dagsFolderNotWritable } from './dag-errors';
import { getSystemCode, undefinedWhenMissing } from './read-dag-file';
import { replaceFile } from './replace-file';

// The order matters: where two files differ only by their extension, the first one counts.
export const extensions = ['.yaml', '.yml'] as const;

export type ToPath = (fileName: string, extension: (typeof extensions)[number]) => string;

const notWritable = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR'] as const;

export interface FileAddress {
  readonly fileName: string;
  readonly filePath: string;
}

export interface DagFileChangesOptions {
  readonly folder: string;
  readonly random: RandomSource;
  readonly toPath: ToPath;
}

/** Changes the files of one folder. */
export function createDagFileChanges({ folder, random, toPath }: DagFileChangesOptions) {
  const assertFree = async (fileName: string): Promise<void> => {
    // A link, a folder or a `.yml` of that name also takes the name, even if it cannot be read.
    const existing = await Promise.all(extensions.map((extension) => exists(toPath(fileName, extension))));
    if (existing.includes(true)) throw dagExists(fileName);
  };

  /** Throws `dags_folder_not_writable`, and `dag_exists` when the name `newFileName` is taken. */
  const change = async (work: () => Promise<void>, newFileName: string): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (isSystemError(error, 'EEXIST')) throw dagExists(newFileName);
      if (isSystemError(error, ...notWritable)) throw dagsFolderNotWritable(folder, getSystemCode(error));
      throw error;
    }
  };

  return {
    /** Creates the folder when it is missing. Throws `dag_exists` or `dags_folder_not_writable`. */
    async create(fileName: string, text: string): Promise<void> {
      if (!isDagName(fileName)) throw dagNameInvalid();
      await change(async () => {
        await makeFolder(folder);
        await assertFree(fileName);
        await createFile(toPath(fileName, '.yaml'), text, `.${random.uuid()}.tmp`);
      }, fileName);
    },

    /** Throws `dags_folder_not_writable`. */
    replace: ({ fileName, filePath }: FileAddress, text: string): Promise<void> =>
      change(() => replaceFile(filePath, text, `.${random.uuid()}.tmp`), fileName),

    /** Removes the file, or the link to it. Throws `dags_folder_not_writable`. */
    remove: ({ fileName, filePath }: FileAddress): Promise<void> =>
      change(async () => {
        await rm(filePath, { force: true });
        await syncFolder(folder);
      }, fileName),

    /** Throws `dag_exists` or `dags_folder_not_writable`. A crash may leave the file under both names. */
    async rename({ filePath }: FileAddress, newFileName: string): Promise<void> {
      if (!isDagName(newFileName)) throw dagNameInvalid();
      await change(async () => {
        await assertFree(newFileName);
        // Unlike a rename, a link never replaces an existing file.
        await link(filePath, path.join(folder, `${newFileName}${path.extname(filePath)}`));
        await rm(filePath);
        await syncFolder(folder);
      }, newFileName);
    },
  };
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // Another entry has the name of the folder; the following calls report it.
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(undefinedWhenMissing)) !== undefined;
}
