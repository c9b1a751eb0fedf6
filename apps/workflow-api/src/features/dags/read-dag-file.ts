import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';

/** Limits the size of a file that is read, in bytes. */
export const maxDagFileBytes = 1_048_576;

// Leaves room for data that is appended while the file is read.
const growthBytes = 4096;

/** Changes with the file, and is known without reading it; empty for a file that must be read each time. */
export type FileMark = string;

export type DagFileContent =
  | { readonly kind: 'text'; readonly text: string }
  /** The file exists, but cannot be a DAG; `problem` says why, for people. */
  | { readonly kind: 'unreadable'; readonly problem: string };

export type DagFileRead = DagFileContent & { readonly mark: FileMark };

// The resolved path has no links; a link that is created meanwhile is not followed, and a pipe does not block.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a file whose resolved path is inside `folder`. Returns `undefined` when there is none, also when a link leads
 * outside.
 */
export async function readDagFile(folder: string, file: string): Promise<DagFileRead | undefined> {
  try {
    return (await readPlainFile(folder, file)) ?? (await readLinkedFile(folder, file));
  } catch (error) {
    // This process lacks resources, which says nothing about the file.
    if (isSystemError(error, 'EMFILE', 'ENFILE', 'ENOMEM')) throw error;
    if (isSystemError(error, 'ENOENT') || !(await entryExists(file))) return undefined;
    // A later change of permissions does not change the times of the file, so it cannot be detected.
    return { kind: 'unreadable', problem: describeProblem(error), mark: '' };
  }
}

/** Reads a file at any path. Returns `undefined` when there is none. */
export async function readDagFileAnywhere(file: string): Promise<DagFileContent | undefined> {
  return readDagFile(path.dirname(await realpath(file).catch(() => file)), file);
}

export function toFileMark({ mtimeMs, size, ino }: Pick<Stats, 'mtimeMs' | 'size' | 'ino'>): FileMark {
  return `${mtimeMs}:${size}:${ino}`;
}

/** An entry of the folder that is no link is inside. Returns `undefined` for a link or a deeper path. */
async function readPlainFile(folder: string, file: string): Promise<DagFileRead | undefined> {
  if (path.dirname(file) !== folder) return undefined;
  try {
    return await readRealFile(file);
  } catch (error) {
    if (isSystemError(error, 'ELOOP')) return undefined;
    throw error;
  }
}

async function readLinkedFile(folder: string, file: string): Promise<DagFileRead | undefined> {
  const realFile = await resolveInside(folder, file);
  return realFile === undefined ? undefined : readRealFile(realFile);
}

/** Returns the resolved path, or `undefined` when it is outside of the folder or does not exist. */
async function resolveInside(folder: string, file: string): Promise<string | undefined> {
  const [realFolder, realFile] = await Promise.all([realpath(folder), realpath(file)]);
  return path.dirname(realFile) === realFolder ? realFile : undefined;
}

/** Whether the folder has an entry of that name, of any kind; also true when the folder cannot be read. */
async function entryExists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    const names = await readdir(path.dirname(file)).catch(() => undefined);
    return names?.includes(path.basename(file)) ?? true;
  }
}

/** Describes for people why a file could not be read. */
export function describeProblem(error: unknown): string {
  if (isSystemError(error, 'EACCES', 'EPERM')) return 'the file may not be read';
  return `the file cannot be read (${getSystemCode(error)})`;
}

/** Returns the code of a failed system call, for people; its message has the path, which not everyone may see. */
export function getSystemCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'for an unknown reason';
}

async function readRealFile(realFile: string): Promise<DagFileRead | undefined> {
  const handle = await open(realFile, flags);
  try {
    const found = await handle.stat();
    if (!found.isFile()) return undefined;
    return { ...(await readContent(handle, found)), mark: toFileMark(found) };
  } finally {
    await handle.close();
  }
}

async function readContent(handle: FileHandle, { size }: Stats): Promise<DagFileContent> {
  if (size > maxDagFileBytes)
    return { kind: 'unreadable', problem: `the file is larger than ${maxDagFileBytes} bytes` };
  // The buffer has one byte more than allowed, so that a file that grew since it was measured is detected.
  const buffer = Buffer.allocUnsafe(Math.min(maxDagFileBytes, size + growthBytes) + 1);
  let length = 0;
  for (let bytesRead = -1; bytesRead !== 0 && length < buffer.length; length += bytesRead) {
    ({ bytesRead } = await handle.read(buffer, length, buffer.length - length, length));
  }
  if (length > maxDagFileBytes)
    return { kind: 'unreadable', problem: `the file is larger than ${maxDagFileBytes} bytes` };
  try {
    // Keeps the byte order mark, so that the bytes of findings are those of the file.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { kind: 'text', text: decoder.decode(buffer.subarray(0, length)) };
  } catch {
    // The error of the decoder says no more, so it is dropped.
    return { kind: 'unreadable', problem: 'the file is not UTF-8 text' };
  }
}

/** Whether the file does not exist, a part of its path is no folder, or a link leads nowhere or in a circle. */
export function isMissing(error: unknown): boolean {
  return isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP');
}

/** Returns `undefined` for a missing file; rethrows any other failure. */
export function undefinedWhenMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
