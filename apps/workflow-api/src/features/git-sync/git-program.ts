import { spawn } from 'node:child_process';
import { isSystemError } from '@weir/foundation';
import { gitMissing } from './sync-errors';

export interface GitCall {
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Settings for this call, as `name=value`. */
  readonly config?: readonly string[];
  readonly input?: string;
  readonly signal: AbortSignal;
}

export interface GitOutcome {
  readonly isSuccessful: boolean;
  readonly stdout: Buffer;
  /** The end of the messages that git wrote for people. */
  readonly message: string;
}

const maxPrintedBytes = 134_217_728;
const maxMessage = 2_000;
/**
 * Hooks and file monitors are programs, so they are disabled; garbage is not collected, because the folder is a cache
 * that can be created again.
 */
const settings = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false'];

/**
 * Runs git without a shell, with its processes in a group of their own that ends with the signal. Rejects with
 * `git_missing` or the reason of the signal.
 */
export function runGit({ args, folder, env, config = [], input = '', signal }: GitCall): Promise<GitOutcome> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const words = [...settings, ...config].flatMap((each) => ['-c', each]);
    const child = spawn('git', [...words, ...args], { cwd: folder, env, detached: true, stdio: 'pipe' });
    const printed = collect(maxPrintedBytes, () => end());
    let message = '';
    const end = () => endGroup(child.pid);
    signal.addEventListener('abort', end, { once: true });
    child.stdout.on('data', printed.add);
    child.stderr.on('data', (part: Buffer) => {
      message = `${message}${part.toString('utf8')}`.slice(-maxMessage);
    });
    // A git process that has ended does not read the rest.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => {
      signal.removeEventListener('abort', end);
      reject(isSystemError(error, 'ENOENT') ? gitMissing() : error);
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(toError(signal.reason));
      else if (printed.isTooMuch()) reject(new Error('git has printed too much'));
      else resolve({ isSuccessful: code === 0, stdout: printed.read(), message: message.trim() });
    });
  });
}

function collect(limit: number, onTooMuch: () => void) {
  const parts: Buffer[] = [];
  let bytes = 0;
  return {
    add: (part: Buffer): void => {
      bytes += part.length;
      if (bytes <= limit) parts.push(part);
      else onTooMuch();
    },
    isTooMuch: (): boolean => bytes > limit,
    read: (): Buffer => Buffer.concat(parts),
  };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The process has ended by itself.
    if (!isSystemError(error, 'ESRCH')) throw error;
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('git was stopped', { cause: reason });
}
