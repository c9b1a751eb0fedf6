import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { processNotStarted } from './command-errors';
import { type OpenLog, withLogFiles } from './log-files';
import type { Invocation } from './shell-invocation';
import type { StepCommand } from './step-command';

export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartedProcess {
  readonly pid: number;
  readonly exit: Promise<ProcessExit>;
  /** Size of the stderr file when the process started. */
  readonly stderrStartBytes: number;
}

/**
 * Starts a child as leader of a session and process group of its own, with empty stdin and both streams going
 * straight into the log files. Opening, starting and closing happen in one turn on purpose: however many steps
 * run, this process holds no descriptor of theirs.
 *
 * Rejects with an `AppError` when the logs cannot be opened or the program cannot be started.
 */
export async function startProcess(invocation: Invocation, command: StepCommand): Promise<StartedProcess> {
  const { child, stderrStartBytes } = withLogFiles(command.stdoutFile, command.stderrFile, (out, err) => ({
    child: spawnInto(invocation, command, out, err),
    stderrStartBytes: err.startBytes,
  }));
  const { pid } = child;
  if (pid === undefined) throw processNotStarted(await startError(child), command.run.kind);
  return { pid, exit: exitOf(child), stderrStartBytes };
}

function spawnInto({ program, args }: Invocation, command: StepCommand, out: OpenLog, err: OpenLog): ChildProcess {
  try {
    return spawn(program, args, {
      cwd: command.cwd,
      env: { ...command.env, PWD: command.cwd },
      detached: true,
      stdio: ['ignore', out.fd, err.fd],
      shell: false,
    });
  } catch (error) {
    throw processNotStarted(error, command.run.kind);
  }
}

async function startError(child: ChildProcess): Promise<Error> {
  const [error] = (await once(child, 'error')) as [Error];
  return error;
}

function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}
