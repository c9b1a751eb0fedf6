import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/errors';

// A pipe put in a file's place must not make the server wait.
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK;
const writeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NONBLOCK;
const chunkBytes = 65_536;

export type ReadText = { readonly text: string } | { readonly problem: string };

export interface ReadTextOptions {
  readonly fromByte: number;
  readonly maxBytes: number;
}

/** What a regular file holds from a byte on, as UTF-8. The problem says nothing of the path. */
export async function readText(file: string, { fromByte, maxBytes }: ReadTextOptions): Promise<ReadText> {
  try {
    return await withFile(file, readFlags, async (handle) => {
      if (!(await handle.stat()).isFile()) return { problem: 'is no regular file' };
      const bytes = await readBytes(handle, fromByte, maxBytes + 1);
      if (bytes.length > maxBytes) return { problem: `is larger than ${maxBytes} bytes` };
      // Bytes that are no text would come out as something that nobody wrote.
      return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { problem: 'is not UTF-8' };
    });
  } catch (error) {
    return { problem: `cannot be read${describeReason(error)}` };
  }
}

/** 0 for a file that is not there. */
export async function readSize(file: string): Promise<number> {
  try {
    return await withFile(file, readFlags, async (handle) => (await handle.stat()).size);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return 0;
    throw error;
  }
}

export interface CopyOptions {
  readonly fromByte: number;
  /** What is there stays in front. */
  readonly isAdded: boolean;
  /** Whether the file may be one that a link leads to. */
  readonly isLinkFollowed: boolean;
  readonly signal: AbortSignal;
}

/** Puts what a log holds from a byte on into a file. Why it could not be done, or nothing. */
export async function copyLog(log: string, target: string, options: CopyOptions): Promise<string | undefined> {
  try {
    await mkdir(path.dirname(target), { recursive: true });
    const flags = options.isLinkFollowed ? writeFlags : writeFlags | constants.O_NOFOLLOW;
    return await withFile(log, readFlags, (source) =>
      withFile(target, flags, (copy) => copyInto(source, copy, options)),
    );
  } catch (error) {
    return `could not be written${describeReason(error)}`;
  }
}

async function copyInto(source: FileHandle, copy: FileHandle, { fromByte, isAdded, signal }: CopyOptions) {
  const [from, to] = [await source.stat(), await copy.stat()];
  if (!to.isFile()) return 'is no regular file';
  // Emptied, it would take the log with it.
  if (isSame(from, to)) return 'is the log itself';
  if (!isAdded) await copy.truncate(0);
  const buffer = Buffer.alloc(chunkBytes);
  // To the size at the beginning: a file that grows while it is copied would never end.
  for (let at = fromByte; at < from.size;) {
    if (signal.aborted) return 'was not finished before the run was stopped';
    const { bytesRead } = await source.read(buffer, 0, Math.min(chunkBytes, from.size - at), at);
    if (bytesRead === 0) break;
    await copy.writeFile(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return undefined;
}

function isSame(left: Stats, right: Stats): boolean {
  return left.dev === right.dev && left.ino === right.ino;
}

async function withFile<T>(file: string, flags: number, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, flags, 0o666);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function readBytes(handle: FileHandle, fromByte: number, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  // Files of the system tell no size, so it is read until nothing comes.
  while (length < maxBytes) {
    const buffer = Buffer.alloc(Math.min(chunkBytes, maxBytes - length));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, fromByte + length);
    if (bytesRead === 0) break;
    parts.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(parts);
}

const reasons = ['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ENOSPC', 'EROFS', 'ENXIO', 'ELOOP', 'ENAMETOOLONG'] as const;

function describeReason(error: unknown): string {
  const reason = reasons.find((code) => isSystemError(error, code));
  return reason === undefined ? '' : ` (${reason})`;
}
