import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';
import { compiledCode, waitForOutput, type ProcessExit, type SpawnedProcess, type StopOptions } from './spawn-process';

export interface HostedProgramOptions {
  /** A built module that exports `runCommand`. */
  readonly module: string;
  readonly words: readonly string[];
  /** The whole environment of the program except PATH. */
  readonly env: Readonly<Record<string, string>>;
  readonly userHome: string;
  /** Default: the user's home. */
  readonly workingDirectory?: string;
  /** Fails the program after this many milliseconds. Default 300,000. */
  readonly deadlineMs?: number;
}

type FromHost = { readonly id: number } & (
  { readonly stream: 'stdout' | 'stderr'; readonly text: string } | { readonly code: number }
);

interface Host {
  readonly child: ChildProcess;
  readonly stderr: () => string;
}

const outputLimit = 10_000_000;
const hosts = new Map<string, Host>();
let lastId = 0;

/**
 * Executes a command line of a built program in the process that all such programs of a Jest worker share, because
 * loading one costs several times more than most of them run. It has separate environment, folders, output and signals;
 * its process id is that of all. It cannot be killed: a spec about that starts a process.
 */
export function startHostedProgram(options: HostedProgramOptions): SpawnedProcess {
  const { module, words, env, userHome, workingDirectory = userHome, deadlineMs = 300_000 } = options;
  const { child, stderr: hostErrors } = hostOf(module, env);
  const id = (lastId += 1);
  const written = { stdout: '', stderr: '' };
  let isRunning = true;
  const exited = new Promise<ProcessExit>((resolve) => {
    const end = (exit: ProcessExit): void => {
      isRunning = false;
      clearTimeout(lifeTime);
      child.off('message', onMessage).off('exit', onExit);
      if (isOwnHost(env)) child.disconnect();
      resolve(exit);
    };
    const onMessage = (message: FromHost): void => {
      if (message.id !== id) return;
      if ('code' in message) end({ code: message.code, signal: null });
      else written[message.stream] = (written[message.stream] + message.text).slice(-outputLimit);
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      written.stderr += `The process of ${words.join(' ')} ended. It wrote:\n${hostErrors()}`;
      end({ code, signal });
    };
    // The other programs of the process are lost too; what hangs is a defect.
    const lifeTime = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    child.on('message', onMessage).once('exit', onExit);
  });
  child.send({ id, words, env: { PATH: process.env.PATH, ...env }, userHome, workingDirectory });

  const stdout = () => written.stdout;
  const stderr = () => written.stderr;
  const isStillRunning = () => isRunning;
  const output = () => `${stdout()}${stderr()}`;
  return {
    pid: child.pid ?? 0,
    stdout,
    stderr,
    exited,
    isRunning: isStillRunning,
    waitForOutput: (wanted, waitMs) =>
      waitForOutput({ command: words.join(' '), wanted, output, isRunning: isStillRunning }, waitMs),
    stop: async ({ signal = 'SIGTERM', deadlineMs: stopMs = 40_000 }: StopOptions = {}) => {
      if (signal === 'SIGKILL') throw new Error(sharedProcess);
      if (isRunning) child.send({ id, signal });
      return within(exited, stopMs, () => `"${words.join(' ')}" has not stopped. It wrote:\n${output()}`);
    },
  };
}

const sharedProcess =
  'This program shares a process with others. A spec that kills it starts it with "ownProcess: true".';

/** Node reads its variables only when a process starts. */
function isOwnHost(env: HostedProgramOptions['env']): boolean {
  return Object.keys(env).some((name) => name.startsWith('NODE_'));
}

function hostOf(module: string, env: HostedProgramOptions['env']): Host {
  if (isOwnHost(env)) return startHost(module, env);
  const running = hosts.get(module);
  if (running !== undefined) return running;
  const host = startHost(module, {});
  hosts.set(module, host);
  host.child.once('exit', () => hosts.delete(module));
  return host;
}

function startHost(module: string, env: HostedProgramOptions['env']): Host {
  const child = fork(path.join(__dirname, 'host-process.cjs'), [module], {
    env: { PATH: process.env.PATH, ...compiledCode, ...env },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  child.setMaxListeners(0);
  let written = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    written = (written + chunk).slice(-outputLimit);
  });
  // It ends when this process closes its channel, and neither it nor its pipes keep this process alive.
  child.unref();
  child.channel?.unref();
  (child.stderr as Socket | null)?.unref();
  return { child, stderr: () => written };
}

async function within<T>(promise: Promise<T>, deadlineMs: number, message: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message())), deadlineMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
