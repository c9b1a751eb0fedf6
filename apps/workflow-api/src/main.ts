import os from 'node:os';
import path from 'node:path';
import { runProgram } from './commands/program/program';
import { askSecret } from './commands/shared/ask-secret';
import type { ProgramHost } from './commands/shared/program-host';

// The build inserts the version; a program that runs from its sources has none.
declare const WEIR_VERSION: string;

/** Executes one command line inside the calling process. Resolves with its exit code and never rejects. */
export function runCommand(
  words: readonly string[],
  host: Omit<ProgramHost, 'version' | 'migrationsFolder' | 'parserFile' | 'uiFolder' | 'loadOwnStore'>,
): Promise<number> {
  return runProgram(words, {
    ...host,
    version: typeof WEIR_VERSION === 'string' ? WEIR_VERSION : 'unbuilt',
    migrationsFolder: path.join(__dirname, 'migrations'),
    parserFile: path.join(__dirname, 'parse-worker.js'),
    uiFolder: path.join(__dirname, 'ui'),
    loadOwnStore: () => import('./bundles/server.js'),
  });
}

/** Executes the command line of this process, and ends the process with its exit code. */
export async function main(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endWithReader);
  const exitCode = await runCommand(process.argv.slice(2), {
    // The environment is copied, because each access to the original is a system call.
    env: { ...process.env },
    programName: process.argv[1],
    userHome: os.homedir(),
    workingDirectory: process.cwd(),
    isColored: process.stdout.isTTY && process.stdout.hasColors(),
    askSecret: process.stdin.isTTY ? askSecret : undefined,
    signals: process,
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
    logDestination: process.stderr,
  });
  await Promise.all([process.stdout, process.stderr].map(written));
  // A handle that was not closed must not keep the process alive.
  process.exit(exitCode);
}

/**
 * A command that only prints ends with the reader of its pipe (`weir logs … | head`), with the code of a shell for SIGPIPE.
 * One that handles stop signals has other work, such as a run, and goes on.
 */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  if (process.listenerCount('SIGTERM') === 0) process.exit(141);
}

/** Waits until a pipe has taken all of a long text, which would be lost with the process, or until its reader is gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
}
