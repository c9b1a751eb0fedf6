import { spawn, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { waitFor } from './wait-for';
import { watchdog } from './watchdog';

const outputLimit = 1_000_000;

/** Caches compiled code of Node programs, which otherwise compile at each start because the homes of specs are new. */
export const compiledCode = { NODE_COMPILE_CACHE: path.resolve(__dirname, '../../../.nx/compiled-code') };

export interface SpawnProcessOptions {
  /** An executable file; `process.execPath` for Node. No shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The environment besides PATH and, for Node, `compiledCode`. Nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Kills the process after this many milliseconds. Default 300,000. */
  readonly deadlineMs?: number;
  /** Run as another user; requires root. */
  readonly uid?: number;
  readonly gid?: number;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StopOptions {
  /** Default SIGTERM. */
  readonly signal?: NodeJS.Signals;
  /** Milliseconds until SIGKILL. Default 10,000. */
  readonly deadlineMs?: number;
}

export interface SpawnedProcess {
  readonly pid: number;
  /** The last million characters of the stream. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<ProcessExit>;
  readonly isRunning: () => boolean;
  /** Waits until a stream contains the text or matches. Rejects with the output if the process ends first. */
  readonly waitForOutput: (wanted: string | RegExp, deadlineMs?: number) => Promise<void>;
  /** Signals the process and waits for its end; sends SIGKILL at the deadline. */
  readonly stop: (options?: StopOptions) => Promise<ProcessExit>;
}

/**
 * Starts a program and collects its output. Rejects if it cannot be started. The process never outlives its deadline or
 * the test process.
 */
export async function spawnProcess(options: SpawnProcessOptions): Promise<SpawnedProcess> {
  const { command, args = [], env = {}, cwd, deadlineMs = 300_000, uid, gid } = options;
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...(command === process.execPath && compiledCode), ...env },
    ...(cwd !== undefined && { cwd }),
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const pid = await started(child);
  watchdog().guardProcess(pid);
  const lifeTime = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  void exited.then(() => {
    clearTimeout(lifeTime);
    watchdog().releaseProcess(pid);
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const output = () => `${stdout()}${stderr()}`;
  return {
    pid,
    stdout,
    stderr,
    exited,
    isRunning,
    waitForOutput: (wanted, waitMs) => waitForOutput({ command, wanted, output, isRunning }, waitMs),
    stop: (stopOptions) => stop(child, exited, stopOptions),
  };
}

function collect(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-outputLimit);
  });
  return () => text;
}

function started(child: ChildProcessByStdio<null, Readable, Readable>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      if (child.pid === undefined) reject(new Error('A started process has no id.'));
      else resolve(child.pid);
    });
  });
}

interface OutputWait {
  readonly command: string;
  readonly wanted: string | RegExp;
  readonly output: () => string;
  readonly isRunning: () => boolean;
}

export async function waitForOutput(
  { command, wanted, output, isRunning }: OutputWait,
  deadlineMs = 60_000,
): Promise<void> {
  const isThere = () => (typeof wanted === 'string' ? output().includes(wanted) : wanted.test(output()));
  const what = `${command} to write ${String(wanted)}`;
  try {
    await waitFor(() => isThere() || !isRunning(), { deadlineMs, what });
  } catch (cause) {
    throw new Error(`${String(cause)} It wrote:\n${output()}`, { cause });
  }
  if (!isThere()) throw new Error(`The process ended before ${what}. It wrote:\n${output()}`);
}

async function stop(
  child: ChildProcessByStdio<null, Readable, Readable>,
  exited: Promise<ProcessExit>,
  { signal = 'SIGTERM', deadlineMs = 10_000 }: StopOptions = {},
): Promise<ProcessExit> {
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  try {
    return await exited;
  } finally {
    clearTimeout(force);
  }
}
