import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from '@weir/foundation';
import type { StepLogFiles } from '../../model/run-model/log-layout';
import { logsNotWritable } from './log-errors';

/** An open log and its size before the command started. */
export interface OpenLog {
  readonly fd: number;
  readonly startBytes: number;
}

// A link in place of a log must not be followed, and a pipe must not block the server.
export const existingLogFlags = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const appendFlags = existingLogFlags | constants.O_CREAT;
/** For what a child reads. */
export const stdinFlags = constants.O_RDONLY | constants.O_NOFOLLOW;
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens both logs of a command for its child. The caller closes them. Throws {@link logsNotWritable}. */
export function openLogFiles({ stdoutFile, stderrFile }: Pick<StepLogFiles, 'stdoutFile' | 'stderrFile'>) {
  const out = openLog(stdoutFile);
  try {
    return { out, err: openLog(stderrFile) };
  } catch (error) {
    closeSync(out.fd);
    throw error;
  }
}

/** Appends to a log. Throws {@link logsNotWritable}. */
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

/** The last `maxBytes` of a log, but nothing before `startBytes`. */
export async function readLogTail(file: string, startBytes: number, maxBytes: number): Promise<string> {
  const handle = await open(file, readFlags);
  try {
    const { size } = await handle.stat();
    const from = Math.max(startBytes, size - maxBytes);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.max(0, size - from)), 0, null, from);
    // The first character may have been cut.
    return buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\uFFFD+/, '');
  } finally {
    await handle.close();
  }
}

/** Opens a log for appending; the caller closes it. Throws {@link logsNotWritable}. */
export function openLog(file: string): OpenLog {
  try {
    return openRegularFile(file);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw logsNotWritable(error);
  }
  // Only the first log of a folder has to create it.
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

/** The files that a step writes to. */
export function listLogs(
  step: StepLogFiles & { readonly copies?: Partial<StepLogFiles> | undefined },
): readonly string[] {
  const { stdoutFile, stderrFile, copies } = step;
  const files = [stdoutFile, stderrFile, copies?.stdoutFile, copies?.stderrFile];
  return [...new Set(files.filter((file) => file !== undefined))];
}
