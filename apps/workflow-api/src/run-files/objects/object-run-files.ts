import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { localRunFiles } from '../files/local-run-files';
import { findRunFolder } from '../files/find-run-folder';
import type { CopiedFile, ObjectStoreOptions, RunFiles } from '../files/run-files';
import { claimRunFiles } from './claim-run-files';
import {
  folderPrefix,
  formatManifest,
  manifestPrefix,
  partPrefix,
  writerName,
  type ManifestFile,
} from './folder-manifest';
import { createObjectStorage, type ObjectStorage } from './object-storage';
import { createFolderReader, type FolderReader } from './read-folder';

/** The last lines of a run are sent within this time after its end. */
const settleMs = 5_000;
/** The token for copying files to a run that no worker has claimed yet. */
const copyToken = 0;
const chunkBytes = 4 * 1024 * 1024;

/** Stores the files of runs as objects, which any process with access to the bucket can read. */
export function createObjectRunFiles(options: ObjectStoreOptions): RunFiles {
  const storage = createObjectStorage(options);
  const reader = createFolderReader(storage);
  return {
    settleMs,
    // Runs that are older than the store stay readable where their files are.
    view: async (folder) => (await reader.open(folder)) ?? localRunFiles.view(folder),
    claim: (claim) => claimRunFiles(claim, { storage, reader, createId: randomUUID }),
    copy: (files) => copyObjects(files, { storage, reader }),
    remove: async (folder) => {
      await rm(folder, { recursive: true, force: true });
      await removeObjects(storage, folder);
    },
    isReachable: () => storage.isReachable(),
    describe: async () => ({ kind: 's3', ...(await storage.describe()) }),
  };
}

interface CopyPorts {
  readonly storage: ObjectStorage;
  readonly reader: FolderReader;
}

/** Copies are written like the files of an owner before the first one. */
async function copyObjects(files: readonly CopiedFile[], { storage, reader }: CopyPorts): Promise<() => Promise<void>> {
  const writer = writerName(copyToken, randomUUID());
  const folders = new Set(files.map(({ to }) => findRunFolder(to)));
  const removeCopies = async (): Promise<void> => {
    for (const folder of folders) await removeObjects(storage, folder);
  };
  try {
    for (const folder of folders) {
      let number = 0;
      const put = async (bytes: Uint8Array): Promise<number> => {
        number += 1;
        await storage.put(`${partPrefix(folder, writer)}${number}`, bytes);
        return number;
      };
      const copied = new Map<string, ManifestFile>();
      for (const { from, to } of files.filter((file) => findRunFolder(file.to) === folder)) {
        const file = await copyParts(from, { put, reader });
        if (file !== undefined) copied.set(path.relative(folder, to), file);
      }
      const manifest = formatManifest({ writer, isClosed: true, files: copied });
      await storage.put(`${manifestPrefix(folder)}${writer}`, manifest);
    }
  } catch (error) {
    await removeCopies();
    throw error;
  }
  return removeCopies;
}

interface PartCopy {
  readonly put: (bytes: Uint8Array) => Promise<number>;
  readonly reader: FolderReader;
}

async function copyParts(from: string, { put, reader }: PartCopy): Promise<ManifestFile | undefined> {
  const source = findRunFolder(from);
  const folder = (await reader.open(source)) ?? (await localRunFiles.view(source));
  const file = await folder.open(path.relative(source, from));
  if (file === undefined) return undefined;
  try {
    const parts = [];
    for (let at = 0; at < file.size;) {
      const bytes = await file.read(at, chunkBytes);
      if (bytes.length === 0) break;
      parts.push({ number: await put(bytes), bytes: bytes.length, level: 0 });
      at += bytes.length;
    }
    return { generation: 0, parts };
  } finally {
    await file.close();
  }
}

async function removeObjects(storage: ObjectStorage, folder: string): Promise<void> {
  await storage.remove((await storage.list(folderPrefix(folder))).map(({ key }) => key));
}
