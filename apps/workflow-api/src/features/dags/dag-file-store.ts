import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDagName } from '@weir/workflow-spec';
import type { RandomSource } from '../../adapters/random-source';
import { dagNotFound } from './dag-errors';
import { createDagFileChanges, extensions, type ToPath } from './dag-file-changes';
import { toFileMark, undefinedWhenMissing, readDagFile, type DagFileRead, type FileMark } from './read-dag-file';

export type DagFile = DagFileRead & {
  /** The name without extension. */
  readonly fileName: string;
  /** Absolute path. */
  readonly filePath: string;
};

export interface FolderListing {
  /** Names without extension, each only once. */
  readonly fileNames: readonly string[];
  /** The reasons why files are not listed, for people. */
  readonly problems: readonly string[];
}

export type DagFileStore = ReturnType<typeof createDagFileStore>;

/** Accesses the DAG files of one folder, its top level only. */
export function createDagFileStore({ folder, random }: { readonly folder: string; readonly random: RandomSource }) {
  const toPath: ToPath = (fileName, extension) => path.join(folder, `${fileName}${extension}`);

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

    /** Returns `undefined` when the file does not exist. */
    read,

    /** Throws `dag_not_found`. */
    async get(fileName: string): Promise<DagFile> {
      const file = await read(fileName);
      if (file === undefined) throw dagNotFound(fileName);
      return file;
    },

    /** Returns a mark that changes with the file, or `undefined` when the file does not exist or cannot be reached. */
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

    ...createDagFileChanges({ folder, random, toPath }),
  };
}

/** Returns the name without extension of a file that may hold a DAG. */
export function parseFileName(name: string): string | undefined {
  const extension = extensions.find((known) => name.endsWith(known));
  return extension === undefined ? undefined : name.slice(0, -extension.length);
}
