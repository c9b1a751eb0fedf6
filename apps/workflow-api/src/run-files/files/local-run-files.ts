import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, open, opendir, readdir, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';
import { confinedPath } from '@weir/workflow-engine';
import type { CopiedFile, RunFiles, RunFolder, StoredEntry, StoredFile } from './run-files';

// A link may lead anywhere, and a pipe must not make the server wait.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** A folder whose first entries are all links counts as empty, because a list of runs must not read whole folders. */
const maxEntries = 64;
/** A run writes its last line just after its end was stored. */
const settleMs = 1_000;

/** Reads the files where runs write them: on this machine, or in folders that all machines share. */
export const localRunFiles: RunFiles = {
  settleMs,
  view: (folder) => Promise.resolve(viewFolder(folder)),
  claim: () => Promise.resolve({ flush: () => Promise.resolve(), close: () => Promise.resolve() }),
  copy: copyFiles,
  remove: (folder) => rm(folder, { recursive: true, force: true }),
  // The disk has a check of its own.
  isReachable: () => Promise.resolve(true),
  describe: () => Promise.resolve({ kind: 'files' }),
};

function viewFolder(folder: string): RunFolder {
  return {
    open: (relative) => openFile(folder, relative),
    sizeOf: async (relative) => {
      const file = await openFile(folder, relative);
      await file?.close();
      return file?.size ?? 0;
    },
    list: (relative) => listFolder(path.join(folder, relative)),
    hasFiles: () => hasFiles(folder),
  };
}

async function openFile(folder: string, relative: string): Promise<StoredFile | undefined> {
  const confined = await confinedPath(folder, relative, { makesFolders: false });
  if ('problem' in confined) return undefined;
  const handle = await openHandle(confined.path);
  if (handle === undefined) return undefined;
  const stat = await handle.stat();
  if (!stat.isFile()) {
    await handle.close();
    return undefined;
  }
  const { size } = stat;
  return {
    size,
    identity: `${stat.dev}.${stat.ino}.${stat.birthtimeMs}`,
    read: (from, wanted) => readAt(handle, from, Math.max(0, Math.min(wanted, size - from))),
    close: () => handle.close(),
  };
}

async function openHandle(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, flags);
  } catch (error) {
    // A link fails with `ELOOP`, and a pipe without a reader with `ENXIO`.
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO')) return undefined;
    throw error;
  }
}

async function readAt(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, from + filled);
    // The file was cut meanwhile.
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

async function listFolder(folder: string): Promise<readonly StoredEntry[] | undefined> {
  const stats = await lstat(folder).catch(ignoreMissing);
  if (!stats?.isDirectory()) return undefined;
  const names = await readdir(folder).catch(ignoreMissing);
  const entries: StoredEntry[] = [];
  for (const name of names ?? []) {
    const found = await lstat(path.join(folder, name)).catch(ignoreMissing);
    if (found?.isDirectory()) entries.push({ name, type: 'directory', size: found.size });
    else if (found?.isFile()) entries.push({ name, type: 'file', size: found.size });
  }
  return names && entries;
}

async function hasFiles(folder: string): Promise<boolean> {
  try {
    let entries = 0;
    for await (const entry of await opendir(folder, { bufferSize: maxEntries })) {
      if (!entry.isSymbolicLink()) return true;
      entries += 1;
      if (entries === maxEntries) return false;
    }
    return false;
  } catch {
    // A missing or unreadable folder has nothing to show.
    return false;
  }
}

async function copyFiles(files: readonly CopiedFile[]): Promise<() => Promise<void>> {
  const copied: string[] = [];
  const removeCopies = async (): Promise<void> => {
    for (const file of copied) await rm(file, { force: true });
  };
  try {
    for (const { from, to } of files) {
      const stats = await lstat(from).catch(ignoreMissing);
      if (!stats?.isFile()) continue;
      await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
      await copyFile(from, to, constants.COPYFILE_EXCL);
      copied.push(to);
    }
  } catch (error) {
    await removeCopies();
    throw error;
  }
  return removeCopies;
}

/** A step may remove a file while it is being read. */
function ignoreMissing(error: unknown): undefined {
  if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
  throw error;
}
