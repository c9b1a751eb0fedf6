import { isSystemError } from '@weir/foundation';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The limit for files that are small by nature, such as ignore files. */
export const smallFileBytes = 1_048_576;

/** Reads a regular file of at most `maxBytes`, and throws for anything else. Does not block on a named pipe. */
export function readBoundedFile(file: string, maxBytes: number, flags = 0): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    return readBoundedDescriptor(descriptor, file, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

/** Works like {@link readBoundedFile} for an open file. */
export function readBoundedDescriptor(descriptor: number, file: string, maxBytes: number): string {
  const refused = new Error(`"${file}" is not a regular file of at most ${maxBytes} bytes`);
  if (!fstatSync(descriptor).isFile()) throw refused;
  // The file's size sets no bound: files of /proc have none, and others may grow meanwhile.
  const bytes = Buffer.allocUnsafe(maxBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= maxBytes; length += read) {
    read = readSync(descriptor, bytes, length, bytes.length - length, null);
  }
  if (length > maxBytes) throw refused;
  return bytes.toString('utf8', 0, length);
}

/** The text of a small file of the user; empty if there is none. */
export function readUserFile(file: string): string {
  try {
    return readBoundedFile(file, smallFileBytes);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return '';
    throw error;
  }
}
