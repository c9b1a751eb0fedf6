import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Cleans up after a test process that ends without doing so itself, even by SIGKILL: a small child process that reads
 * what to guard from a pipe and acts when the pipe closes. Exit handlers do not work, because Jest never runs those
 * that a spec registers.
 */
export interface Watchdog {
  readonly guardProcess: (processId: number) => void;
  readonly releaseProcess: (processId: number) => void;
  readonly guardFolder: (folder: string) => void;
  readonly releaseFolder: (folder: string) => void;
}

// SIGQUIT first, because PostgreSQL then ends its child processes.
const program = `
const { rmSync } = require('node:fs');
const processes = new Set(), folders = new Set();
const actions = {
  guardProcess: (id) => processes.add(id), releaseProcess: (id) => processes.delete(id),
  guardFolder: (path) => folders.add(path), releaseFolder: (path) => folders.delete(path),
};
const signalAll = (signal) => { for (const id of processes) { try { process.kill(id, signal); } catch { processes.delete(id); } } };
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
require('node:readline').createInterface({ input: process.stdin })
  .on('line', (line) => { const [action, value] = JSON.parse(line); actions[action](value); })
  .on('close', () => {
    signalAll('SIGQUIT');
    setTimeout(() => {
      signalAll('SIGKILL');
      for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      process.exit(0);
    }, processes.size > 0 ? 500 : 0);
  });
`;

let shared: Watchdog | undefined;

/** Each worker of Jest has one watchdog, started on first use. */
export function watchdog(): Watchdog {
  shared ??= startWatchdog();
  return shared;
}

function startWatchdog(): Watchdog {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'ignore', 'ignore'] });
  // Neither the child nor the pipe keeps the test process running.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  // A watchdog that has ended is ignored.
  child.stdin.on('error', () => undefined);
  const send = (action: keyof Watchdog) => (value: number | string) => {
    child.stdin.write(`${JSON.stringify([action, value])}\n`);
  };
  return {
    guardProcess: send('guardProcess'),
    releaseProcess: send('releaseProcess'),
    guardFolder: send('guardFolder'),
    releaseFolder: send('releaseFolder'),
  };
}
