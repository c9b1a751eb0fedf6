import { closeSync, constants, fstatSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** How large each log of a step can become, and what happens to a step that writes more. */
export interface LogLimit {
  readonly maxBytes: number;
  /** `drop`: the step continues without its further output. `fail`: it is ended and fails. */
  readonly onExceeded: 'drop' | 'fail';
}

// A link in place of a log must not be followed, and a pipe must not block the server.
const safeFlags = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const maxMarkBytes = 128;

/** The last line of a log that was cut. */
function limitMark(maxBytes: number): Buffer {
  return Buffer.from(`\n[Log limit: output after ${maxBytes} bytes was dropped.]\n`);
}

/**
 * Cuts a log that is larger than the limit, and writes a last line that says so. Processes that append to it are not
 * affected. Returns whether the log is cut; a missing file is not.
 */
export function cutLog(file: string, maxBytes: number): boolean {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return false;
  const fd = openSync(file, constants.O_WRONLY | safeFlags);
  try {
    if (!fstatSync(fd).isFile()) return false;
    const mark = limitMark(maxBytes);
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
    return /\n\[Log limit: output after \d+ bytes was dropped\.\]\n$/.test(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await handle.close();
  }
}
