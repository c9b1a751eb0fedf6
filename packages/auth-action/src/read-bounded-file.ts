import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** For files that are small by nature, such as ignore files. */
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

/** {@link readBoundedFile} for an open file. */
export function readBoundedDescriptor(descriptor: number, file: string, maxBytes: number): string {
  const stats = fstatSync(descriptor);
  if (!stats.isFile() || stats.size > maxBytes) {
    throw new Error(`"${file}" is not a regular file of at most ${maxBytes} bytes`);
  }
  return readFileSync(descriptor, 'utf8');
}
