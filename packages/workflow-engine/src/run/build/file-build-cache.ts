import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '@weir/foundation';
import type { FileLocks } from '../../host/file-locks/file-locks';
import type { Clock } from '../../model/ports/clock';
import type { BuildCache, BuildRecord, BuiltFile } from '../context/build-cache';
import { readBuiltFile } from './hash-file';
import { trimFolder, type FolderBound } from './trim-folder';

export interface FileBuildCacheOptions {
  /** Created when missing; nothing else may be in it. */
  readonly folder: string;
  readonly locks: FileLocks;
  readonly clock: Clock;
  /** Limits all contents together. */
  readonly maxBytes: number;
  /** After which what was not used is removed. */
  readonly maxAgeMs: number;
}

const maxRecords = 100_000;
const maxRecordBytes = 1_048_576;

/** A cache in a folder. Contents are files by their SHA-256, records by their fingerprint. */
export function createFileBuildCache(options: FileBuildCacheOptions): BuildCache {
  const { folder, locks, clock, maxBytes, maxAgeMs } = options;
  const records = join(folder, 'records');
  const contents = join(folder, 'contents');
  const touch = async (file: string) => {
    const now = clock.now();
    await utimes(file, now, now);
  };
  const trim = () => {
    const bound = (more: Omit<FolderBound, 'maxAgeMs' | 'now'>): FolderBound => ({
      ...more,
      maxAgeMs,
      now: clock.now(),
    });
    return Promise.all([
      trimFolder(contents, bound({ maxBytes })),
      trimFolder(records, bound({ maxBytes: maxRecords * 1024, maxFiles: maxRecords })),
    ]);
  };
  return {
    hold: (files, signal, use) =>
      locks.hold(
        files.map((file) => `build:${file}`),
        signal,
        use,
      ),
    find: async (fingerprint) => {
      const file = join(records, fingerprint);
      const record = parseRecord(await readRecord(file));
      if (record !== undefined) await touch(file).catch(ignoreMissing);
      return record;
    },
    store: async (fingerprint, files) => {
      for (const each of [records, contents]) await mkdir(each, { recursive: true, mode: 0o700 });
      for (const { path, sha256 } of Object.values(files)) {
        if ((await stat(path)).size > maxBytes) continue;
        await place(join(contents, sha256), (part) => copyFile(path, part, constants.COPYFILE_FICLONE));
      }
      const record = Object.entries(files).map(([name, { sha256, mode }]) => [name, { sha256, mode }] as const);
      await place(join(records, fingerprint), (part) => writeFile(part, JSON.stringify(Object.fromEntries(record))));
      await trim();
    },
    restore: (file, path, signal) => copyChecked({ ...file, from: join(contents, file.sha256), path, signal, touch }),
  };
}

interface CheckedCopy extends BuiltFile {
  readonly from: string;
  readonly path: string;
  readonly signal: AbortSignal;
  readonly touch: (file: string) => Promise<void>;
}

/** Copies a content that is what its name says; one that is not is removed. */
async function copyChecked({ from, path, sha256, mode, signal, touch }: CheckedCopy): Promise<boolean> {
  try {
    await copyFile(from, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
  const copied = await readBuiltFile(path, signal);
  if (copied?.sha256 !== sha256) {
    // A disk or a person has changed it: it must not be found again.
    for (const file of [from, path]) await rm(file, { force: true });
    return false;
  }
  await chmod(path, mode);
  await touch(from).catch(ignoreMissing);
  return true;
}

/** Lets `make` write a temporary file, and moves it to its path when it is on the disk. */
async function place(path: string, make: (part: string) => Promise<void>): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await make(part);
    await chmod(part, 0o600);
    const handle = await open(part, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}

async function readRecord(file: string): Promise<string | undefined> {
  try {
    if ((await stat(file)).size > maxRecordBytes) return undefined;
    return await readFile(file, 'utf8');
  } catch (error) {
    ignoreMissing(error);
    return undefined;
  }
}

/** Undefined for what this version did not write. */
function parseRecord(text: string | undefined): BuildRecord | undefined {
  if (text === undefined) return undefined;
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record !== 'object' || record === null) return undefined;
    const entries = Object.entries(record);
    return entries.every(([, file]) => isBuiltFile(file)) ? Object.fromEntries(entries) : undefined;
  } catch {
    return undefined;
  }
}

function isBuiltFile(value: unknown): value is BuiltFile {
  if (typeof value !== 'object' || value === null || !('sha256' in value) || !('mode' in value)) return false;
  return typeof value.sha256 === 'string' && /^[0-9a-f]{64}$/.test(value.sha256) && typeof value.mode === 'number';
}

function ignoreMissing(error: unknown): void {
  if (!isSystemError(error, 'ENOENT')) throw error;
}
