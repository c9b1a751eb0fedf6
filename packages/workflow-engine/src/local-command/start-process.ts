import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAppError } from '@weir/errors';
import type { ProcessIdentity } from '../scope/step-ports';
import { processNotStarted } from './command-errors';
import { existingLogFlags, withLogFiles } from './log-files';
import { isPiped, openPipedStreams, type PipedStreams } from './piped-streams';
import type { ProcessExit } from './process-exit';
import { parseIdentity, processIdentity } from './process-identity';
import type { Invocation } from './shell-invocation';
import type { SpawnedProcess, Spawner } from './spawner/spawner';
import type { SpawnOrder } from './spawner/spawner-messages';
import type { StepCommand } from './step-command';

export interface StartedProcess {
  readonly pid: number;
  /** To be called at once: after the process has been reaped it may be too late. */
  readonly identity: () => Promise<ProcessIdentity | undefined>;
  readonly exit: Promise<ProcessExit>;
  /** Size of the stderr file when the process started. */
  readonly stderrStartBytes: number;
  /** To be called once the process and its group have ended. Resolves when all output is in the files. */
  readonly drained: () => Promise<void>;
}

export interface StartOptions {
  /** Folder for named pipes while they are being opened. */
  readonly tempDir: string;
  readonly spawner: Spawner | undefined;
}

/**
 * Starts a child as leader of a new session and process group, with empty stdin. Its streams go straight into the log
 * files, and through this process only when they are masked or copied: then the child gets SIGPIPE when the server dies.
 *
 * Rejects with an `AppError` when the logs cannot be opened or the program cannot be started.
 */
export function startProcess(
  invocation: Invocation,
  command: StepCommand,
  { tempDir, spawner }: StartOptions,
): Promise<StartedProcess> {
  return isPiped(command) ? startPiped(invocation, command, tempDir) : startDirect(invocation, command, spawner);
}

/**
 * Opens, starts and closes synchronously, so that this process holds no descriptors of running steps. The spawner opens
 * the files again, which exist by then and are known to be regular files.
 */
async function startDirect(
  invocation: Invocation,
  command: StepCommand,
  spawner: StartOptions['spawner'],
): Promise<StartedProcess> {
  const { starting: starting, stderrStartBytes } = withLogFiles(command.stdoutFile, command.stderrFile, (out, err) => ({
    starting: spawner?.start(toOrder(invocation, command)) ?? spawnInto(invocation, command, out.fd, err.fd),
    stderrStartBytes: err.startBytes,
  }));
  const started =
    starting instanceof Promise ? await startedThere(starting, command) : await startedHere(starting, command);
  return { ...started, stderrStartBytes, drained: () => Promise.resolve() };
}

type RunningProcess = Pick<StartedProcess, 'pid' | 'identity' | 'exit'>;

async function startedHere(child: ChildProcess, command: StepCommand): Promise<RunningProcess> {
  const { pid } = child;
  if (pid === undefined) throw processNotStarted(await startError(child), command.run.kind);
  return { pid, identity: () => processIdentity(pid), exit: waitForExit(child) };
}

async function startedThere(spawned: Promise<SpawnedProcess>, command: StepCommand): Promise<RunningProcess> {
  try {
    const { pid, stat, exit } = await spawned;
    const identity = () => (stat === undefined ? processIdentity(pid) : Promise.resolve(parseIdentity(pid, stat)));
    return { pid, identity, exit };
  } catch (error) {
    throw isAppError(error) ? error : processNotStarted(error, command.run.kind);
  }
}

function toOrder({ program, args }: Invocation, { cwd, env, stdoutFile, stderrFile }: StepCommand): SpawnOrder {
  return { program, args, cwd, env: { ...env, PWD: cwd }, stdoutFile, stderrFile, openFlags: existingLogFlags };
}

async function startPiped(invocation: Invocation, command: StepCommand, tempDir: string): Promise<StartedProcess> {
  const streams = await openPipedStreams(command, tempDir);
  try {
    const child = spawnPiped(invocation, command, streams);
    const { stderrStartBytes } = streams;
    const started = await startedHere(child, command);
    return { ...started, stderrStartBytes, drained: () => streams.drained() };
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

function waitForExit(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}
