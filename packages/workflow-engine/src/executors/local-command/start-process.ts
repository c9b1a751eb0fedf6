import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { processNotStarted } from './command-errors';
import { withLogFiles } from './log-files';
import { isPiped, openPipedStreams, type PipedStreams } from './piped-streams';
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
  /** To be called once the process and its group have ended: what was written is in the files then. */
  readonly drained: () => Promise<void>;
}

/**
 * Starts a child as leader of a session and process group of its own, with empty stdin. Both streams go straight into
 * the log files, and through this process only when they hold secrets or are copied: then a server that dies takes
 * the reader with it, and the child gets SIGPIPE.
 *
 * Rejects with an `AppError` when the logs cannot be opened or the program cannot be started.
 */
export function startProcess(invocation: Invocation, command: StepCommand, tempDir: string): Promise<StartedProcess> {
  return isPiped(command) ? startPiped(invocation, command, tempDir) : startDirect(invocation, command);
}

/** Opening, starting and closing happen in one turn: however many steps run, this process holds no descriptor of theirs. */
async function startDirect(invocation: Invocation, command: StepCommand): Promise<StartedProcess> {
  const { child, stderrStartBytes } = withLogFiles(command.stdoutFile, command.stderrFile, (out, err) => ({
    child: spawnInto(invocation, command, out.fd, err.fd),
    stderrStartBytes: err.startBytes,
  }));
  const { pid } = child;
  if (pid === undefined) throw processNotStarted(await startError(child), command.run.kind);
  return { pid, exit: exitOf(child), stderrStartBytes, drained: () => Promise.resolve() };
}

async function startPiped(invocation: Invocation, command: StepCommand, tempDir: string): Promise<StartedProcess> {
  const streams = await openPipedStreams(command, tempDir);
  try {
    const child = spawnPiped(invocation, command, streams);
    const { pid } = child;
    if (pid === undefined) throw processNotStarted(await startError(child), command.run.kind);
    return { pid, exit: exitOf(child), stderrStartBytes: streams.stderrStartBytes, drained: () => streams.drained() };
  } catch (error) {
    await streams.drained();
    throw error;
  }
}

function spawnPiped(invocation: Invocation, command: StepCommand, streams: PipedStreams): ChildProcess {
  try {
    return spawnInto(invocation, command, streams.out, streams.err);
  } finally {
    streams.handedOver();
  }
}

function spawnInto({ program, args }: Invocation, command: StepCommand, out: number, err: number): ChildProcess {
  try {
    return spawn(program, args, {
      cwd: command.cwd,
      env: { ...command.env, PWD: command.cwd },
      detached: true,
      stdio: ['ignore', out, err],
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
