import { constants, type Stats } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isFileError } from '../file-error';

/** Largest file that is read, in bytes. */
export const maxDagFileBytes = 1_048_576;

// Room for what is appended while the file is read.
const growthBytes = 4096;

/** Tells a file from what it was before without reading it. */
export type FileMark = string;

export type DagFileContent =
  | { readonly kind: 'text'; readonly text: string }
  /** The file is there and cannot be a DAG; `problem` says why, for people. */
  | { readonly kind: 'unreadable'; readonly problem: string };

export type DagFileRead = DagFileContent & { readonly mark: FileMark };

// The path has no link left in it any more; one put there meanwhile is not followed, and a pipe does not block.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a file whose real place is inside `folder`; `undefined` when there is none, also when a link leads to another
 * place.
 */
export async function readDagFile(folder: string, file: string): Promise<DagFileRead | undefined> {
  const handle = await openInside(folder, file);
  if (handle === undefined) return undefined;
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return undefined;
    return { ...(await readContent(handle, stat)), mark: markOf(stat) };
  } finally {
    await handle.close();
  }
}

/** Reads a file wherever it is; `undefined` when there is none. */
export async function readDagFileAnywhere(file: string): Promise<DagFileContent | undefined> {
  return readDagFile(path.dirname(await realpath(file).catch(() => file)), file);
}

export function markOf({ mtimeMs, size, ino }: Pick<Stats, 'mtimeMs' | 'size' | 'ino'>): FileMark {
  return `${mtimeMs}:${size}:${ino}`;
}

async function openInside(folder: string, file: string): Promise<FileHandle | undefined> {
  try {
    const [realFolder, realFile] = await Promise.all([realpath(folder), realpath(file)]);
    if (path.dirname(realFile) !== realFolder) return undefined;
    return await open(realFile, flags);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readContent(handle: FileHandle, { size }: Stats): Promise<DagFileContent> {
  if (size > maxDagFileBytes)
    return { kind: 'unreadable', problem: `the file is larger than ${maxDagFileBytes} bytes` };
  // One byte more than allowed: a file that grew since it was measured is found out by it.
  const buffer = Buffer.allocUnsafe(Math.min(maxDagFileBytes, size + growthBytes) + 1);
  let length = 0;
  for (let bytesRead = -1; bytesRead !== 0 && length < buffer.length; length += bytesRead) {
    ({ bytesRead } = await handle.read(buffer, length, buffer.length - length, length));
  }
  if (length > maxDagFileBytes)
    return { kind: 'unreadable', problem: `the file is larger than ${maxDagFileBytes} bytes` };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length)) };
  } catch {
    // The decoder says no more than that, so there is nothing to keep.
    return { kind: 'unreadable', problem: 'the file is not UTF-8 text' };
  }
}

/** No such file, a part of the path that is no folder, or a link that leads nowhere or in a circle. */
export function isMissing(error: unknown): boolean {
  return isFileError(error, 'ENOENT', 'ENOTDIR', 'ELOOP');
}
