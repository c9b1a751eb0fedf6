import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { logsNotWritable } from '../logs/log-errors';

export interface Pipe {
  /** The child's end; the caller closes it after the start. */
  readonly writeFd: number;
  readonly output: Socket;
}

const run = promisify(execFile);
const deadlineMs = 10_000;

/**
 * Named pipes instead of Node's own, which are sockets: a script cannot open those as /dev/stdout or /dev/stderr. Throws
 * {@link logsNotWritable}.
 */
export async function openPipes(count: number, tempDir: string): Promise<readonly Pipe[]> {
  let folder: string | undefined;
  const pipes: Pipe[] = [];
  try {
    await mkdir(tempDir, { recursive: true, mode: 0o700 });
    folder = await mkdtemp(path.join(tempDir, 'pipes-'));
    const files = Array.from({ length: count }, (_, index) => path.join(folder ?? tempDir, String(index)));
    await run('mkfifo', ['-m', '600', ...files], { timeout: deadlineMs });
    for (const file of files) pipes.push(openPipe(file));
    return pipes;
  } catch (error) {
    for (const { writeFd, output } of pipes) {
      closeSync(writeFd);
      output.destroy();
    }
    throw logsNotWritable(error);
  } finally {
    // Open descriptors stay usable without the file.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

function openPipe(file: string): Pipe {
  // The reader first: without it, opening the write end would block.
  const readFd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writeFd = openSync(file, constants.O_WRONLY);
    return { writeFd, output: new Socket({ fd: readFd, readable: true, writable: false }) };
  } catch (error) {
    closeSync(readFd);
    throw error;
  }
}
