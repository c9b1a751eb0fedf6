import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAppError, isSystemError } from '@weir/errors';
import type { ProcessIdentity, StepOutcome } from '../scope/step-ports';
import { nodeStatus } from '../statuses/node-status';
import { workingFolderUnusable } from './command-errors';
import { failureText } from './failure-text';
import { readLogTail } from './log-files';
import { endProcessGroup } from './process-group';
import { withScriptFile } from './script-file';
import { commandInvocation, type Invocation, needsScriptFile, scriptInvocation } from './shell-invocation';
import { parseStopSignal } from './stop-signal';
import { startProcess, type StartedProcess, type StartOptions } from './start-process';
import type { Clock } from '../ports/clock';
import type { Spawner } from './spawner/spawner';
import type { CommandContext, LocalCommandExecutor, StepCommand } from './step-command';
import { type ProcessEnd, superviseProcess } from './supervise-process';

const stderrTailBytes = 1024;
const aborted: StepOutcome = { status: 'aborted', error: 'run stopped' };

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
        { killGraceMs, tempDir, spawner },
      );
      const outcome = await attempt.run();
      const process = lastProcess === undefined ? {} : { process: lastProcess };
      return { ...outcome, ...process, startedAt, endedAt: clock.now() };
    },
  };
}

type AttemptOptions = Required<Omit<LocalCommandOptions, 'clock' | 'spawner'>> & StartOptions;

class CommandAttempt {
  readonly #command: StepCommand;
  readonly #context: CommandContext;
  readonly #options: AttemptOptions;

  constructor(command: StepCommand, context: CommandContext, options: AttemptOptions) {
    this.#command = command;
    this.#context = context;
    this.#options = options;
  }

  async run(): Promise<StepOutcome> {
    try {
      await prepareFolder(this.#command.cwd);
      let outcome: StepOutcome = { status: 'succeeded' };
      const { run } = this.#command;
      if (run.kind === 'program') return this.#context.signal.aborted ? aborted : await this.#runProcess(run);
      for (const text of run.kind === 'script' ? [run.script] : run.commands) {
        outcome = this.#context.signal.aborted ? aborted : await this.#runText(text);
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
    return withScriptFile(text, this.#options.tempDir, (file) =>
      this.#runProcess(scriptInvocation(text, file, this.#command)),
    );
  }

  async #runProcess(invocation: Invocation): Promise<StepOutcome> {
    const { killGraceMs = this.#options.killGraceMs } = this.#command;
    const stopSignal = parseStopSignal(this.#command.stopSignal);
    const started = await startProcess(invocation, this.#command, this.#options);
    await this.#announce(started);
    const end = await superviseProcess(started, this.#context.signal, { killGraceMs, stopSignal });
    await started.drained();
    return this.#toOutcome(end, started);
  }

  async #announce({ pid, identity, drained }: StartedProcess): Promise<void> {
    try {
      const process = await identity();
      if (process !== undefined) this.#context.onStarted(process);
    } catch (error) {
      // A process that could not be recorded must not keep running unnoticed.
      await endProcessGroup(pid, this.#options.killGraceMs);
      await drained();
      throw error;
    }
  }

  async #toOutcome(end: ProcessEnd, started: StartedProcess): Promise<StepOutcome> {
    const exit = toExitFields(end);
    if (!end.isGroupGone) {
      return {
        ...exit,
        status: end.isAborted ? 'aborted' : 'failed',
        error: 'A process of the step could not be ended.',
      };
    }
    if (end.isAborted) return { ...exit, ...aborted };
    if (end.exit === undefined || end.exit.exitCode === 0) return { ...exit, status: 'succeeded' };
    const tail = await readLogTail(this.#command.stderrFile, started.stderrStartBytes, stderrTailBytes);
    return { ...exit, status: 'failed', error: failureText(end.exit, tail) };
  }
}

async function prepareFolder(cwd: string): Promise<void> {
  try {
    await makeUsable(cwd);
  } catch (error) {
    throw workingFolderUnusable(error);
  }
}

/** Without this check, missing permissions of the folder would be reported as those of the shell. */
async function makeUsable(cwd: string): Promise<void> {
  // The slash makes the check fail for a file, which may be executable as well.
  const folder = `${cwd}/`;
  try {
    await access(folder, constants.X_OK);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
    await mkdir(cwd, { recursive: true });
    await access(folder, constants.X_OK);
  }
}

function toExitFields({ exit }: ProcessEnd): Pick<StepOutcome, 'exitCode' | 'signal'> {
  if (exit === undefined) return {};
  const { exitCode, signal } = exit;
  return { ...(exitCode === null ? {} : { exitCode }), ...(signal === null ? {} : { signal }) };
}
