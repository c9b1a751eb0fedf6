import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from '@weir/errors';
import { logsNotWritable } from './command-errors';

/** Where a stream's file ended before the command began. */
export interface OpenLog {
  readonly fd: number;
  readonly startBytes: number;
}

// A link or a pipe put in a log's place must neither be followed nor make the server wait.
export const existingLogFlags = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const appendFlags = existingLogFlags | constants.O_CREAT;
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens both files, lets `use` hand them to a child, and closes this process's copies again. Throws {@link logsNotWritable}. */
export function withLogFiles<T>(stdoutFile: string, stderrFile: string, use: (out: OpenLog, err: OpenLog) => T): T {
  const out = openLog(stdoutFile);
  try {
    const err = openLog(stderrFile);
    try {
      return use(out, err);
    } finally {
      closeSync(err.fd);
    }
  } finally {
    closeSync(out.fd);
  }
}

/** Adds to a log from this process, as a command would. Throws {@link logsNotWritable}. */
export function appendToLog(file: string, content: string | Uint8Array): void {
  const { fd } = openLog(file);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
  } catch (error) {
    throw logsNotWritable(error);
  } finally {
    closeSync(fd);
  }
}

/** The last `maxBytes` of a log, nothing from before `startBytes`. */
export async function readLogTail(file: string, startBytes: number, maxBytes: number): Promise<string> {
  const handle = await open(file, readFlags);
  try {
    const { size } = await handle.stat();
    const from = Math.max(startBytes, size - maxBytes);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.max(0, size - from)), 0, null, from);
    // The cut may have gone through a character.
    return buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\uFFFD+/, '');
  } finally {
    await handle.close();
  }
}

/** Opens a log to be added to; the caller closes it. Throws {@link logsNotWritable}. */
export function openLog(file: string): OpenLog {
  try {
    return openRegularFile(file);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw logsNotWritable(error);
  }
  // Only the first log of a folder finds that it is not there.
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openRegularFile(file);
  } catch (error) {
    throw logsNotWritable(error);
  }
}

function openRegularFile(file: string): OpenLog {
  const fd = openSync(file, appendFlags, 0o600);
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, startBytes: stat.size };
  closeSync(fd);
  throw new Error('The log is not a regular file.');
}
