import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { logsNotWritable } from './command-errors';

export interface Pipe {
  /** For the child; to be closed by who hands it over. */
  readonly writeFd: number;
  readonly output: Socket;
}

const run = promisify(execFile);
const deadlineMs = 10_000;

/**
 * Real pipes: what Node gives children instead are sockets, and a script that writes to /dev/stdout or /dev/stderr
 * cannot open those. Throws {@link logsNotWritable}.
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
    // Open ends stay usable without their names.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

function openPipe(file: string): Pipe {
  // The reader first: without one, opening the other end would wait.
  const readFd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writeFd = openSync(file, constants.O_WRONLY);
    return { writeFd, output: new Socket({ fd: readFd, readable: true, writable: false }) };
  } catch (error) {
    closeSync(readFd);
    throw error;
  }
}
