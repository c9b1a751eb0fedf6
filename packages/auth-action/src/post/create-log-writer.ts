import { writeSync } from 'node:fs';
import { systemErrorCode } from '@weir/foundation';

export interface LogWriterOptions {
  /** The descriptor of a file or pipe. */
  readonly descriptor: number;
  /** Creates the stream for the same descriptor on first access, which costs more than the rest of post. */
  readonly process: { readonly stdout: { write(bytes: Uint8Array): unknown } };
}

/**
 * Writes lines in order without the stream of the process, which is used only when a pipe is full. Ignores a log that
 * cannot be written, because post never fails the job.
 */
export function createLogWriter({ descriptor, process }: LogWriterOptions): (text: string) => void {
  let isWaiting = false;
  return (text) => {
    const bytes = Buffer.from(text);
    const written = isWaiting ? 0 : writeNow(descriptor, bytes);
    isWaiting ||= written < bytes.length;
    if (isWaiting) process.stdout.write(bytes.subarray(written));
  };
}

/** Returns how many bytes do not need to be written again. */
function writeNow(descriptor: number, bytes: Uint8Array): number {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    return written;
  } catch (error) {
    return systemErrorCode(error) === 'EAGAIN' ? written : bytes.length;
  }
}
