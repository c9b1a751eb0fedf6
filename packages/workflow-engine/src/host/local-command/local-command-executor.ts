import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAppError } from '@weir/foundation';
import { openLogTimes } from '../logs/log-times';
import type { Clock } from '../../model/ports/clock';
import type { ProcessStart, Invocation } from '../../model/ports/step-isolation';
import type { ProcessIdentity, StepOutcome } from '../../model/steps/step-outcome';
import { nodeStatus } from '../../model/statuses/node-status';
import { processNotStarted } from './command-errors';
import { abortedOutcome, logLimitOutcome, toCommandOutcome } from './command-outcome';
import { enterEnclosure } from './enter-enclosure';
import { existingLogFlags, listLogs, openLogFiles, stdinFlags } from '../logs/log-files';
import { isPiped, openPipedStreams } from './piped-streams';
import type { ProcessExit } from '../spawner/process-exit';
import { withMark } from './process-family';
import { endProcessFamily } from './process-group';
import { parseIdentity, processIdentity } from './process-identity';
import { withScriptFile } from './script-file';
import { commandInvocation, needsScriptFile, scriptInvocation } from './shell-invocation';
import type { SpawnedProcess, Spawner } from '../spawner/spawner';
import type { SpawnOrder } from '../spawner/spawner-messages';
import type { LocalCommandExecutor, StepCommand } from './step-command';
import { parseStopSignal } from './stop-signal';
import { type StartedProcess, superviseProcess } from './supervise-process';
import { watchLogs } from '../logs/watch-logs';
import { prepareFolder } from './working-folder';

interface LocalCommandOptions {
  readonly clock: Clock;
  /** Time between SIGTERM and SIGKILL. Default 5,000. */
  readonly killGraceMs?: number;
  /** Folder for script files while they run, created when missing. Default: that of the system. */
  readonly tempDir?: string;
  /** Starts the processes whose streams go straight into files. Default: this process does. */
  readonly spawner?: Spawner;
}

/** Runs commands as child processes of this host. */
export function createLocalCommandExecutor(options: LocalCommandOptions): LocalCommandExecutor {
  const { clock, killGraceMs = 5_000, tempDir = tmpdir(), spawner } = options;
  return {
    run: async (given, { signal, onStarted }) => {
      const startedAt = clock.now();
      const command = { ...given, env: withMark(given.env) };
      const recorded: ProcessIdentity[] = [];
      const onRecorded = (process: ProcessIdentity): void => {
        recorded.push(process);
        onStarted(process);
      };
      const runProcess = async (invocation: Invocation): Promise<StepOutcome> => {
        const stopSignal = parseStopSignal(command.stopSignal);
        const times = openLogTimes(command, clock);
        const child = await spawnProcess(invocation, command, { tempDir, spawner });
        await recordProcess(child, onRecorded, killGraceMs);
        return untilEnd(child, command, { signal, times, stopSignal, killGraceMs, first: recorded[0] });
      };
      let outcome: StepOutcome = { status: 'succeeded' };
      try {
        await prepareFolder(command.cwd);
        for (const part of listParts(command.run)) {
          outcome = signal.aborted ? abortedOutcome : await withInvocation(part, command, { tempDir, use: runProcess });
          if (!nodeStatus.isSuccessful(outcome.status)) break;
        }
      } catch (error) {
        if (!isAppError(error)) throw error;
        outcome = { status: 'failed', error: error.message, cause: error };
      }
      const process = recorded.at(-1);
      return { ...outcome, ...(process === undefined ? {} : { process }), startedAt, endedAt: clock.now() };
    },
  };
}

/** Lists the parts to execute in order: texts for the shell, or a program without one. */
function listParts(run: StepCommand['run']): readonly (string | Invocation)[] {
  switch (run.kind) {
    case 'commands':
      return run.commands;
    case 'script':
      return [run.script];
    case 'program':
      return [run];
  }
}

interface InvocationUse {
  readonly tempDir: string;
  readonly use: (invocation: Invocation) => Promise<StepOutcome>;
}

/** The file of a script is there while it is used. */
function withInvocation(
  part: string | Invocation,
  command: StepCommand,
  { tempDir, use }: InvocationUse,
): Promise<StepOutcome> {
  if (typeof part !== 'string') return use(part);
  if (command.run.kind !== 'script' && !needsScriptFile(part)) return use(commandInvocation(part, command));
  return withScriptFile(part, command.enclosure?.scriptsFolder ?? tempDir, (file) =>
    use(scriptInvocation(part, file, command)),
  );
}

async function recordProcess(
  { pid, identity, drained }: StartedProcess,
  onStarted: (process: ProcessIdentity) => void,
  killGraceMs: number,
): Promise<void> {
  try {
    const process = await identity();
    if (process !== undefined) onStarted(process);
  } catch (error) {
    // A process that could not be recorded must not keep running unnoticed.
    await endProcessFamily(pid, killGraceMs);
    await drained();
    throw error;
  }
}

interface Supervision {
  readonly signal: AbortSignal;
  readonly times: ReturnType<typeof openLogTimes>;
  readonly stopSignal: NodeJS.Signals;
  /** Unless the command says another one. */
  readonly killGraceMs: number;
  /** The first process of the command. */
  readonly first: ProcessIdentity | undefined;
}

/** Resolves when the process has ended and all that it printed is in the logs. */
async function untilEnd(
  child: StartedProcess,
  command: StepCommand,
  { signal, times, stopSignal, killGraceMs, first }: Supervision,
): Promise<StepOutcome> {
  const logs = watchLogs(listLogs(command), { limit: command.logLimit, times });
  const end = await superviseProcess(child, AbortSignal.any([signal, logs.exceeded]), {
    killGraceMs: command.killGraceMs ?? killGraceMs,
    stopSignal,
    first,
  });
  await child.drained();
  logs.close();
  if (logs.exceeded.aborted && !signal.aborted) return logLimitOutcome;
  return toCommandOutcome(end, command, child);
}

interface StartOptions {
  /** Folder for named pipes while they are being opened. */
  readonly tempDir: string;
  readonly spawner: Spawner | undefined;
}

/**
 * Starts a child as leader of a new session and process group. Its streams go straight into the log
 * files, and through this process only when they are masked or copied: then the child gets SIGPIPE when the server dies.
 *
 * Rejects with an `AppError` when the logs cannot be opened or the program cannot be started.
 */
async function spawnProcess(
  { program, args }: Invocation,
  command: StepCommand,
  { tempDir, spawner }: StartOptions,
): Promise<StartedProcess> {
  const { cwd, env, enclosure, run } = command;
  const start = await enterEnclosure(enclosure, { program, args, cwd, env: { ...env, PWD: cwd } }, run.kind);
  return isPiped(command) ? spawnPiped(start, command, tempDir) : spawnDirect(start, command, spawner);
}

/**
 * Opens, starts and closes synchronously, so that this process holds no descriptors of running steps. The spawner opens
 * the files again, which exist by then and are known to be regular files.
 */
async function spawnDirect(
  start: ProcessStart,
  command: StepCommand,
  spawner: StartOptions['spawner'],
): Promise<StartedProcess> {
  const { out, err } = openLogFiles(command);
  let starting: ChildProcess | Promise<SpawnedProcess>;
  try {
    starting = spawner?.start(toOrder(start, command)) ?? spawnInto(start, command, out.fd, err.fd);
  } finally {
    closeSync(out.fd);
    closeSync(err.fd);
  }
  const started =
    starting instanceof Promise ? await startedThere(starting, command) : await startedHere(starting, command);
  return { ...started, stderrStartBytes: err.startBytes, drained: () => Promise.resolve() };
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

function toOrder(start: ProcessStart, { stdinFile, stdoutFile, stderrFile }: StepCommand): SpawnOrder {
  const stdin = stdinFile === undefined ? undefined : { file: stdinFile, openFlags: stdinFlags };
  return { ...start, stdin, stdoutFile, stderrFile, openFlags: existingLogFlags };
}

async function spawnPiped(start: ProcessStart, command: StepCommand, tempDir: string): Promise<StartedProcess> {
  const streams = await openPipedStreams(command, tempDir);
  try {
    let child: ChildProcess;
    try {
      child = spawnInto(start, command, streams.out, streams.err);
    } finally {
      streams.handedOver();
    }
    const { stderrStartBytes } = streams;
    const started = await startedHere(child, command);
    return { ...started, stderrStartBytes, drained: () => streams.drained() };
  } catch (error) {
    await streams.drained();
    throw error;
  }
}

function spawnInto(
  { program, args, cwd, env }: ProcessStart,
  { run, stdinFile }: StepCommand,
  out: number,
  err: number,
): ChildProcess {
  let stdin: number | undefined;
  try {
    if (stdinFile !== undefined) stdin = openSync(stdinFile, stdinFlags);
    return spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: [stdin ?? 'ignore', out, err],
      shell: false,
    });
  } catch (error) {
    throw processNotStarted(error, run.kind);
  } finally {
    if (stdin !== undefined) closeSync(stdin);
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
