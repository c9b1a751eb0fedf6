import { closeSync, constants, fstatSync, ftruncateSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';
import type { LogLimit, LogLimits } from '../../model/ports/log-limits';

// A link in place of a log must not be followed, and a pipe must not block the server.
const safeFlags = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const maxMarkBytes = 256;

/** The limits of a run whose logs are in this folder and those below it. */
export function createLogLimit({ maxBytes, maxRunBytes, onExceeded }: LogLimits, folder: string): LogLimit {
  let sizes: Map<string, number> | undefined;
  let total = 0;
  const note = (file: string, size: number): void => {
    total += size - (sizes?.get(file) ?? 0);
    sizes?.set(file, size);
  };
  const cut = (file: string): boolean => {
    // Copies of streams are deleted with the end of the attempt.
    const size = sizeOf(file);
    if (!isLog(file)) return size > maxBytes && cutLog(file, maxBytes, limitMark(maxBytes));
    const left = Math.max(0, maxRunBytes - total + (sizes?.get(file) ?? 0));
    const allowed = Math.min(maxBytes, left);
    note(file, Math.min(size, allowed));
    return size > allowed && cutLog(file, allowed, limitMark(allowed, left < maxBytes ? maxRunBytes : undefined));
  };
  return {
    onExceeded,
    cut: (files) => {
      if (sizes === undefined) {
        sizes = new Map();
        for (const file of listLogs(folder)) note(file, Math.min(maxBytes, maxRunBytes - total, sizeOf(file)));
      }
      return files.map(cut).some(Boolean);
    },
  };
}

/** The last line of a log that was cut. */
function limitMark(bytes: number, runBytes?: number): Buffer {
  const why = runBytes === undefined ? '' : `, because the logs of a run can have ${runBytes} bytes`;
  return Buffer.from(`\n[Log limit: output after ${bytes} bytes was dropped${why}.]\n`);
}

function isLog(file: string): boolean {
  return /\.(out|err|log)$/.test(file);
}

/** Those of earlier attempts, and of an earlier owner of the run. */
function listLogs(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && isLog(entry.name) && entry.name !== 'run.log')
      .map(({ parentPath, name }) => path.join(parentPath, name));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Cuts a log that is larger than this, and writes a last line that says so. Processes that append to it are not
 * affected. Returns whether the log is cut.
 */
function cutLog(file: string, maxBytes: number, mark: Buffer): boolean {
  const fd = openSync(file, constants.O_WRONLY | safeFlags);
  try {
    if (!fstatSync(fd).isFile()) return false;
    // In this order the log never ends without the line, whatever is appended meanwhile.
    writeSync(fd, mark, 0, mark.length, maxBytes);
    ftruncateSync(fd, maxBytes + mark.length);
    return true;
  } finally {
    closeSync(fd);
  }
}

/** Whether the last line of the file says that it was cut. False for a missing file. */
export async function isCutLog(file: string): Promise<boolean> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - maxMarkBytes);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(maxMarkBytes), 0, maxMarkBytes, from);
    return /\n\[Log limit: output after \d+ bytes was dropped[^\n]*\.\]\n$/.test(
      buffer.toString('latin1', 0, bytesRead),
    );
  } finally {
    await handle.close();
  }
}
