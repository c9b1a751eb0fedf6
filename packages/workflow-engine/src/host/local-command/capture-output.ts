import { type ChildProcess, spawn } from 'node:child_process';
import { isAppError } from '@weir/foundation';
import type { StepShell } from '../../values/environment/step-shell';
import type { Enclosure } from '../../model/ports/step-isolation';
import { processNotStarted } from './command-errors';
import { enterEnclosure } from './enter-enclosure';
import { failureText } from './failure-text';
import { withMark } from './process-family';
import { endProcessFamily, endProcessGroup } from './process-group';
import { commandInvocation } from './shell-invocation';
import type { ProcessExit } from '../spawner/process-exit';

export interface CaptureCommand extends StepShell {
  readonly text: string;
  readonly cwd: string;
  /** The whole environment; only `PWD` and `WEIR_STEP_MARK` are added. */
  readonly env: Readonly<Record<string, string>>;
  /** The enclosure in which the command executes; without it, it executes as the server itself. */
  readonly enclosure: Enclosure | undefined;
}

export interface CaptureOptions {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** Limit of standard output; more is a failure. */
  readonly maxBytes: number;
  /** Whether only the exit code matters, so that output is discarded without a limit. */
  readonly isOutputDropped?: boolean;
  /** Time between SIGTERM and SIGKILL. Default 5,000. */
  readonly killGraceMs?: number | undefined;
}

/** Standard output, or the reason of the failure, which never quotes the command. */
export type Captured =
  | { readonly stdout: string }
  /** The exit code is present when the command ended by itself. */
  | { readonly failure: string; readonly exitCode?: number };

const stderrTailBytes = 1024;

/**
 * Runs a shell command to its end and resolves to its standard output. Processes that it leaves behind are ended; those that
 * left its group only if it is stopped. Never rejects because of the command.
 */
export async function captureOutput(command: CaptureCommand, options: CaptureOptions): Promise<Captured> {
  try {
    return await capture(await start(command), options);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { failure: error.message };
  }
}

async function start({ text, cwd, env, enclosure, ...shell }: CaptureCommand): Promise<ChildProcess> {
  const invocation = commandInvocation(text, shell);
  const given = { ...invocation, cwd, env: { ...withMark(env), PWD: cwd } };
  const { program, args, ...entered } = await enterEnclosure(enclosure, given);
  try {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    return spawn(program, args, {
      ...entered,
      detached: true,
      stdio: [...stdio],
      shell: false,
    });
  } catch (error) {
    throw processNotStarted(error);
  }
}

async function capture(child: ChildProcess, options: CaptureOptions): Promise<Captured> {
  const { deadlineMs, maxBytes, signal, killGraceMs = 5_000 } = options;
  const stdout: Buffer[] = [];
  let bytes = 0;
  let tail = Buffer.alloc(0);
  let problem: string | undefined;
  let end: (() => void) | undefined;
  const stopped = new Promise<void>((resolve) => (end = resolve));
  const stop = (why: string): void => {
    problem ??= why;
    end?.();
  };
  child.stdout?.on('data', (part: Buffer) => {
    if (options.isOutputDropped === true) return;
    bytes += part.length;
    if (bytes > maxBytes) stop(`more than ${maxBytes} bytes of output`);
    else stdout.push(part);
  });
  child.stderr?.on('data', (part: Buffer) => (tail = Buffer.concat([tail, part]).subarray(-stderrTailBytes)));
  const timer = setTimeout(() => stop(`not done after ${deadlineMs / 1000} seconds`), deadlineMs);
  const onAbort = (): void => stop('run stopped');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const exit = await Promise.race([waitForExit(child), stopped]);
    const endAll = exit ? endProcessGroup : endProcessFamily;
    const isGone = child.pid === undefined || (await endAll(child.pid, killGraceMs));
    // The remaining output is read to its end; no process is left that could write more.
    if (isGone && exit) await waitForClose(child);
    if (problem !== undefined || !exit) return { failure: problem ?? 'ended' };
    if (exit.exitCode !== 0) {
      const code = exit.exitCode === null ? {} : { exitCode: exit.exitCode };
      return { failure: failureText(exit, tail.toString('utf8')), ...code };
    }
    return { stdout: Buffer.concat(stdout).toString('utf8') };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function waitForExit(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(processNotStarted(error)));
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function waitForClose({ stdout }: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (stdout === null || stdout.closed || stdout.readableEnded) resolve();
    else stdout.once('close', () => resolve());
  });
}
