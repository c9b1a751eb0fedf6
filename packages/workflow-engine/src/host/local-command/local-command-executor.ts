import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAppError } from '@weir/errors';
import { openLogTimes } from '../logs/log-times';
import type { Clock } from '../../model/ports/clock';
import type { ProcessStart, Invocation } from '../../model/ports/step-isolation';
import type { ProcessIdentity, StepOutcome } from '../../model/steps/step-outcome';
import { nodeStatus } from '../../model/statuses/node-status';
import { processNotStarted } from './command-errors';
import { abortedOutcome, logLimitOutcome, toCommandOutcome } from './command-outcome';
import { enterEnclosure } from './enter-enclosure';
import { existingLogFlags, listLogs, stdinFlags, withLogFiles } from '../logs/log-files';
import { isPiped, openPipedStreams, type PipedStreams } from './piped-streams';
import type { ProcessExit } from '../spawner/process-exit';
import { withMark } from './process-family';
import { endProcessFamily } from './process-group';
import { parseIdentity, processIdentity } from './process-identity';
import { withScriptFile } from './script-file';
import { commandInvocation, needsScriptFile, scriptInvocation } from './shell-invocation';
import type { SpawnedProcess, Spawner } from '../spawner/spawner';
import type { SpawnOrder } from '../spawner/spawner-messages';
import type { CommandContext, LocalCommandExecutor, StepCommand } from './step-command';
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

/** Executes commands as child processes of this host. */
export function createLocalCommandExecutor(options: LocalCommandOptions): LocalCommandExecutor {
  const { clock, killGraceMs = 5_000, tempDir = tmpdir(), spawner } = options;
  return {
    async execute(command, context) {
      const startedAt = clock.now();
      let lastProcess: ProcessIdentity | undefined;
      const onStarted = (process: ProcessIdentity) => {
        lastProcess = process;
        context.onStarted(process);
      };
      const attempt = new CommandAttempt(
        command,
        { signal: context.signal, onStarted },
        { clock, killGraceMs, tempDir, spawner },
      );
      const outcome = await attempt.run();
      const process = lastProcess === undefined ? {} : { process: lastProcess };
      return { ...outcome, ...process, startedAt, endedAt: clock.now() };
    },
  };
}

type AttemptOptions = Required<Pick<LocalCommandOptions, 'clock' | 'killGraceMs' | 'tempDir'>> & StartOptions;

class CommandAttempt {
  readonly #command: StepCommand;
  readonly #context: CommandContext;
  readonly #options: AttemptOptions;
  #first: ProcessIdentity | undefined;

  constructor(command: StepCommand, context: CommandContext, options: AttemptOptions) {
    this.#command = { ...command, env: withMark(command.env) };
    this.#context = context;
    this.#options = options;
  }

  async run(): Promise<StepOutcome> {
    try {
      await prepareFolder(this.#command.cwd);
      let outcome: StepOutcome = { status: 'succeeded' };
      const { run } = this.#command;
      if (run.kind === 'program') return this.#context.signal.aborted ? abortedOutcome : await this.#runProcess(run);
      for (const text of run.kind === 'script' ? [run.script] : run.commands) {
        outcome = this.#context.signal.aborted ? abortedOutcome : await this.#runText(text);
        if (!nodeStatus.isSuccessful(outcome.status)) break;
      }
      return outcome;
    } catch (error) {
      if (!isAppError(error)) throw error;
      return { status: 'failed', error: error.message, cause: error };
    }
  }

  #runText(text: string): Promise<StepOutcome> {
    const isScript = this.#command.run.kind === 'script' || needsScriptFile(text);
    if (!isScript) return this.#runProcess(commandInvocation(text, this.#command));
    return withScriptFile(text, this.#command.enclosure?.scriptsFolder ?? this.#options.tempDir, (file) =>
      this.#runProcess(scriptInvocation(text, file, this.#command)),
    );
  }

  async #runProcess(invocation: Invocation): Promise<StepOutcome> {
    const { killGraceMs = this.#options.killGraceMs } = this.#command;
    const stopSignal = parseStopSignal(this.#command.stopSignal);
    const times = openLogTimes(this.#command, this.#options.clock);
    const started = await this.#start(invocation);
    await this.#announce(started);
    const { signal } = this.#context;
    const logs = watchLogs(listLogs(this.#command), { limit: this.#command.logLimit, times });
    const end = await superviseProcess(started, AbortSignal.any([signal, logs.exceeded]), {
      killGraceMs,
      stopSignal,
      first: this.#first,
    });
    await started.drained();
    logs.close();
    if (logs.exceeded.aborted && !signal.aborted) return logLimitOutcome;
    return toCommandOutcome(end, this.#command, started);
  }

  async #start({ program, args }: Invocation): Promise<StartedProcess> {
    const { cwd, env } = this.#command;
    const start = { program, args, cwd, env: { ...env, PWD: cwd } };
    const entered = await enterEnclosure(this.#command.enclosure, start, this.#command.run.kind);
    return startProcess(entered, this.#command, this.#options);
  }

  async #announce({ pid, identity, drained }: StartedProcess): Promise<void> {
    try {
      const process = await identity();
      this.#first ??= process;
      if (process !== undefined) this.#context.onStarted(process);
    } catch (error) {
      // A process that could not be recorded must not keep running unnoticed.
      await endProcessFamily(pid, this.#options.killGraceMs);
      await drained();
      throw error;
    }
  }
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
function startProcess(
  start: ProcessStart,
  command: StepCommand,
  { tempDir, spawner }: StartOptions,
): Promise<StartedProcess> {
  return isPiped(command) ? startPiped(start, command, tempDir) : startDirect(start, command, spawner);
}

/**
 * Opens, starts and closes synchronously, so that this process holds no descriptors of running steps. The spawner opens
 * the files again, which exist by then and are known to be regular files.
 */
async function startDirect(
  start: ProcessStart,
  command: StepCommand,
  spawner: StartOptions['spawner'],
): Promise<StartedProcess> {
  const { starting, stderrStartBytes } = withLogFiles(command.stdoutFile, command.stderrFile, (out, err) => ({
    starting: spawner?.start(toOrder(start, command)) ?? spawnInto(start, command, out.fd, err.fd),
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

function toOrder(start: ProcessStart, { stdinFile, stdoutFile, stderrFile }: StepCommand): SpawnOrder {
  const stdin = stdinFile === undefined ? undefined : { file: stdinFile, openFlags: stdinFlags };
  return { ...start, stdin, stdoutFile, stderrFile, openFlags: existingLogFlags };
}

async function startPiped(start: ProcessStart, command: StepCommand, tempDir: string): Promise<StartedProcess> {
  const streams = await openPipedStreams(command, tempDir);
  try {
    const child = spawnPiped(start, command, streams);
    const { stderrStartBytes } = streams;
    const started = await startedHere(child, command);
    return { ...started, stderrStartBytes, drained: () => streams.drained() };
  } catch (error) {
    await streams.drained();
    throw error;
  }
}

function spawnPiped(start: ProcessStart, command: StepCommand, streams: PipedStreams): ChildProcess {
  try {
    return spawnInto(start, command, streams.out, streams.err);
  } finally {
    streams.handedOver();
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
