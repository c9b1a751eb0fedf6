import { writeSync } from 'node:fs';
import { codeOf } from './remove-file';

export interface LogWriterDependencies {
  /** Of the file or pipe that is written to. */
  readonly descriptor: number;
  /** Has the stream of the same output, made when it is first looked at: it weighs more than all else of post. */
  readonly process: { readonly stdout: { write(bytes: Uint8Array): unknown } };
}

/**
 * Writes lines in order without the stream of the process, unless a pipe is full: then the stream gets the rest. A log
 * that cannot be written to has no reader, and post never fails the job, so that is passed over.
 */
export function createLogWriter({ descriptor, process }: LogWriterDependencies): (text: string) => void {
  let isWaiting = false;
  return (text) => {
    const bytes = Buffer.from(text);
    const written = isWaiting ? 0 : writeNow(descriptor, bytes);
    isWaiting ||= written < bytes.length;
    if (isWaiting) process.stdout.write(bytes.subarray(written));
  };
}

/** How many of the bytes need no more care. */
function writeNow(descriptor: number, bytes: Uint8Array): number {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    return written;
  } catch (error) {
    return codeOf(error) === 'EAGAIN' ? written : bytes.length;
  }
}
