import { lstat, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/errors';
import { isDagName } from '@weir/workflow-spec';
import type { RandomSource } from '../../adapters/random-source';
import { createFile } from './create-file';
import { dagExists, dagNameInvalid, dagNotFound, dagsFolderNotWritable } from './dag-errors';
import { isMissing, toFileMark, readDagFile, getSystemCode, type DagFileRead, type FileMark } from './read-dag-file';

// In order: where two files differ only by it, the first one counts.
const extensions = ['.yaml', '.yml'] as const;

const notWritable = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR'] as const;

export type DagFile = DagFileRead & {
  /** Without extension. */
  readonly fileName: string;
  /** Absolute path. */
  readonly filePath: string;
};

export interface FolderListing {
  /** Names without extension, each once. */
  readonly fileNames: readonly string[];
  /** What keeps files from being listed, for people. */
  readonly problems: readonly string[];
}

export type DagFileStore = ReturnType<typeof createDagFileStore>;

/** The DAG files of one folder, its top level only. */
export function createDagFileStore({ folder, random }: { readonly folder: string; readonly random: RandomSource }) {
  const toPath = (fileName: string, extension: (typeof extensions)[number]): string =>
    path.join(folder, `${fileName}${extension}`);

  const read = async (fileName: string): Promise<DagFile | undefined> => {
    if (!isDagName(fileName)) return undefined;
    for (const extension of extensions) {
      const filePath = toPath(fileName, extension);
      const found = await readDagFile(folder, filePath);
      if (found !== undefined) return { ...found, fileName, filePath };
    }
    return undefined;
  };

  return {
    folder,

    /** `undefined` when there is no such file. */
    read,

    /** Throws `dag_not_found`. */
    async get(fileName: string): Promise<DagFile> {
      const file = await read(fileName);
      if (file === undefined) throw dagNotFound(fileName);
      return file;
    },

    /** Changes when the file does; `undefined` when there is none, or none that can be reached. */
    async readMark(fileName: string): Promise<FileMark | undefined> {
      for (const extension of extensions) {
        const found = await stat(toPath(fileName, extension)).catch(() => undefined);
        if (found?.isFile()) return toFileMark(found);
      }
      return undefined;
    },

    async list(): Promise<FolderListing> {
      const names = await readdir(folder).catch((error: unknown) => undefinedWhenMissing(error));
      if (names === undefined) return { fileNames: [], problems: [`The folder ${folder} does not exist.`] };
      const files = names.flatMap((name) => parseFileName(name) ?? []).sort();
      const bad = files.filter((name) => !isDagName(name));
      return {
        fileNames: [...new Set(files.filter(isDagName))],
        problems: bad.map(
          (name) => `The file "${name}" is left out: a name is 1 to 40 letters, digits, "_", "." or "-".`,
        ),
      };
    },

    /** Throws `dag_exists` or `dags_folder_not_writable`. The folder is made when it is missing. */
    async create(fileName: string, text: string): Promise<void> {
      if (!isDagName(fileName)) throw dagNameInvalid();
      try {
        await makeFolder(folder);
        // A link, a folder or a `.yml` of that name is in the way too, whether or not it can be read.
        const existing = await Promise.all(extensions.map((extension) => exists(toPath(fileName, extension))));
        if (existing.includes(true)) throw dagExists(fileName);
        await createFile(toPath(fileName, '.yaml'), text, `.${random.uuid()}.tmp`);
      } catch (error) {
        if (isSystemError(error, 'EEXIST')) throw dagExists(fileName);
        if (isSystemError(error, ...notWritable)) throw dagsFolderNotWritable(folder, getSystemCode(error));
        throw error;
      }
    },
  };
}

/** The name without extension of a file that may hold a DAG. */
export function parseFileName(name: string): string | undefined {
  const extension = extensions.find((known) => name.endsWith(known));
  return extension === undefined ? undefined : name.slice(0, -extension.length);
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    // Something else is in the place of the folder; what follows finds out.
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(undefinedWhenMissing)) !== undefined;
}

function undefinedWhenMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
