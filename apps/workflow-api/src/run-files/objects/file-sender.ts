import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { isSystemError } from '@weir/foundation';
import type { ManifestFile } from './folder-manifest';
import type { ScannedFile } from './scan-folder';

/** Stores the parts of the files of one folder. */
export interface PartStore {
  /** Stores bytes as a part, and returns its number. */
  put(bytes: Uint8Array): Promise<number>;
  putStream(bytes: Readable): Promise<number>;
  /** Removes parts once the manifest no longer names them. */
  discard(numbers: readonly number[]): void;
}

/** Sends one file repeatedly as it changes. */
export interface FileSender {
  /** The sent state of the file; undefined at first. */
  readonly sent: ManifestFile | undefined;
  /** `file` is the absolute path. Returns whether `sent` has changed. */
  send(file: string, scanned: ScannedFile, options: SendOptions): Promise<boolean>;
}

export interface SendOptions {
  /** Whether files are sent that may still be incomplete. */
  readonly isFinal: boolean;
}

// A link in place of a file is not followed, and a pipe must not block the worker.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Returns `undefined` for a file that was removed, or replaced by a link, since it was found. */
export async function withFile<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
  const handle = await openHandle(file);
  if (handle === undefined) return undefined;
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function openHandle(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, flags);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined;
    throw error;
  }
}
