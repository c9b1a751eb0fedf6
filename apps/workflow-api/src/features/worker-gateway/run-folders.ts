import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import { confinedPath } from '@weir/workflow-engine';
import type { DagRun } from '@weir/workflow-engine/model';
import { folderPrefix, isLogFile, scanFolder, type ObjectStorage } from '../../run-files';
import { maxPieceBytes } from './protocol';

export type RunFolderName = 'logs' | 'artifacts';

export interface RunFilePlace {
  readonly run: DagRun;
  readonly folder: RunFolderName;
  /** The path below the folder. */
  readonly path: string;
}

/** A file that a worker sends is at most this large. */
const maxFileBytes = 4 * 1024 * 1024 * 1024;

// A link may lead anywhere, and a pipe must not make the server wait.
const noLinks = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The files of a run that a worker sends: where this server reads them, and nowhere else. */
export const runFolders = {
  list: async (run: DagRun, folder: RunFolderName) => {
    const root = folderOf(run, folder);
    const found = root === undefined ? [] : await scanFolder(root);
    return found
      .filter((file) => folder === 'artifacts' || isLogFile(file.path))
      .map(({ path: file, size }) => ({ path: file, size }));
  },

  /** Returns at most one piece, and nothing where there is no file. */
  read: async (place: RunFilePlace, from: number): Promise<Buffer> => {
    const file = await resolveFile(place, { makesFolders: false });
    if (file === undefined) return Buffer.alloc(0);
    return withFile(file, constants.O_RDONLY, async (handle) => {
      const bytes = Buffer.alloc(maxPieceBytes);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      return bytes.subarray(0, bytesRead);
    });
  },

  /** Cuts the file at `from` and adds the bytes. Throws `file_shorter` when the file ends before. */
  write: async (place: RunFilePlace, from: number, bytes: Uint8Array): Promise<void> => {
    if (from + bytes.length > maxFileBytes) {
      throw new AppError('payload_too_large', `A file of a run has at most ${maxFileBytes} bytes.`);
    }
    const file = await resolveFile(place, { makesFolders: true });
    if (file === undefined) throw refused(place);
    await withFile(file, constants.O_RDWR | constants.O_CREAT, async (handle) => {
      const { size } = await handle.stat();
      if (size < from) {
        throw new AppError('conflict', `The file has ${size} bytes.`, { reason: 'file_shorter' });
      }
      if (size > from) await handle.truncate(from);
      await handle.write(bytes, 0, bytes.length, from);
    });
  },

  remove: async (place: RunFilePlace): Promise<void> => {
    const file = await resolveFile(place, { makesFolders: false });
    if (file !== undefined) await rm(file, { force: true });
  },
};

/** The objects of one folder of a run; keys are relative to it. */
export function objectsOf(
  run: DagRun,
  folder: RunFolderName,
  storage: ObjectStorage | undefined,
): Pick<ObjectStorage, 'putStream' | 'get' | 'list' | 'remove'> {
  const root = folderOf(run, folder);
  if (root === undefined || storage === undefined) throw refused({ folder });
  const prefix = folderPrefix(root);
  return {
    putStream: (key, content) => storage.putStream(`${prefix}${key}`, content),
    get: (key, range) => storage.get(`${prefix}${key}`, range),
    list: async (key) =>
      (await storage.list(`${prefix}${key}`)).map((found) => ({ ...found, key: found.key.slice(prefix.length) })),
    remove: (keys) => storage.remove(keys.map((key) => `${prefix}${key}`)),
  };
}

function folderOf({ logFile, artifactsDir }: DagRun, folder: RunFolderName): string | undefined {
  return folder === 'logs' ? path.dirname(logFile) : (artifactsDir ?? undefined);
}

async function resolveFile(
  place: RunFilePlace,
  options: { readonly makesFolders: boolean },
): Promise<string | undefined> {
  const root = folderOf(place.run, place.folder);
  if (root === undefined || (place.folder === 'logs' && !isLogFile(place.path))) throw refused(place);
  const confined = await confinedPath(root, place.path, options);
  return 'path' in confined && confined.path !== root ? confined.path : undefined;
}

async function withFile<T>(file: string, flags: number, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, flags | noLinks, 0o600);
  try {
    if (!(await handle.stat()).isFile()) throw new AppError('invalid_request', 'This is no file of the run.');
    return await use(handle);
  } finally {
    await handle.close();
  }
}

function refused({ folder }: Pick<RunFilePlace, 'folder'>): AppError {
  return new AppError('forbidden', `This is no file that a worker sends to the ${folder} of its run.`, {
    reason: 'file_refused',
  });
}
