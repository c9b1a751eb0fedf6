import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';
import { isCutLog } from '../../host/logs/log-limit';

// A pipe in place of a file must not block the server.
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK;
const writeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NONBLOCK;
const chunkBytes = 65_536;

export type ReadText = { readonly text: string } | { readonly problem: string };

export interface ReadTextOptions {
  readonly fromByte: number;
  readonly maxBytes: number;
}

/** Reads a regular file from an offset as UTF-8. The problem does not contain the path. */
export async function readText(file: string, { fromByte, maxBytes }: ReadTextOptions): Promise<ReadText> {
  try {
    return await withFile(file, readFlags, async (handle) => {
      if (!(await handle.stat()).isFile()) return { problem: 'is no regular file' };
      const bytes = await readBytes(handle, fromByte, maxBytes + 1);
      if (bytes.length > maxBytes) return { problem: `is larger than ${maxBytes} bytes` };
      // Decoding other bytes would silently replace them.
      return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { problem: 'is not UTF-8' };
    });
  } catch (error) {
    return { problem: `cannot be read${describeReason(error)}` };
  }
}

/** Like {@link readText}, but a log that was cut is a problem, because a part of the output is missing. */
export async function readStream(log: string, options: ReadTextOptions): Promise<ReadText> {
  return (await isCutLog(log))
    ? { problem: 'is not complete, because the log reached its limit' }
    : readText(log, options);
}

/** 0 for a missing file. */
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
  /** Whether to append to existing content. */
  readonly isAdded: boolean;
  /** Whether to follow a link at the target. */
  readonly isLinkFollowed: boolean;
  readonly signal: AbortSignal;
}

/** Copies a log from an offset into a file. Resolves to the problem, or `undefined`. */
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
  // Truncating the target would empty the log.
  if (isSame(from, to)) return 'is the log itself';
  if (!isAdded) await copy.truncate(0);
  const buffer = Buffer.alloc(chunkBytes);
  // Up to the initial size: copying a growing file would never end.
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
  // Files in /proc report no size, so read until the end.
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
