import type { LocalRun } from '@weir/workflow-spec';
import type { Clock } from '../ports/clock';
import type { StepLogFiles } from '../logs/log-layout';
import type { Masker } from '../masking/masker';
import type { ProcessIdentity, StepOutcome } from '../scope/step-ports';
import type { StepShell } from '../environment/step-shell';
import type { Spawner } from './spawner/spawner';

/** A program started as it is: no shell reads its arguments. */
export interface ProgramRun {
  readonly kind: 'program';
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * A local step with everything worked out: references replaced, environment complete, paths absolute. A shell that
 * the step names itself is used exactly as written, also for a script with a `#!` line; otherwise a Unix shell gets
 * `-e` and a `#!` line is honoured.
 */
export interface StepCommand extends StepShell {
  /**
   * Texts handed to the shell as they are. Commands run one after another until one fails; a script, and a command
   * of several lines, goes through a temporary file. A program needs no shell.
   */
  readonly run: LocalRun | ProgramRun;
  /** What the texts read as `$1`, `$2`, …; none when missing. Only shells of Unix and scripts take them. */
  readonly args?: readonly string[];
  /** Created when missing. */
  readonly cwd: string;
  /** The whole environment; nothing of this process's own is added but `PWD`. */
  readonly env: Readonly<Record<string, string>>;
  /** Appended to; created, with its folders, readable by the owner only. May be the same file as `stderrFile`. */
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** Asks the step to end when it is stopped; `SIGTERM` when missing. */
  readonly stopSignal?: string | undefined;
  /** Time between that signal and SIGKILL; the executor's own when missing. */
  readonly killGraceMs?: number | undefined;
  /** Hides secrets in all that the command writes to its streams, before it is stored. */
  readonly masker?: Masker | undefined;
  /** Files that a stream goes to as well; see `streamCopies`. */
  readonly copies?: Partial<StepLogFiles> | undefined;
}

export interface CommandContext {
  readonly signal: AbortSignal;
  readonly onStarted: (process: ProcessIdentity) => void;
}

export interface CommandOutcome extends StepOutcome {
  /** The last process that was started; missing when none was. */
  readonly process?: ProcessIdentity;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

export interface LocalCommandOptions {
  readonly clock: Clock;
  /** Time between SIGTERM and SIGKILL; 5,000 when not given. */
  readonly killGraceMs?: number;
  /** Folder for script files while they run, created when missing; the system's when not given. */
  readonly tempDir?: string;
  /** Starts the processes whose streams go straight into files; this process does when not given. */
  readonly spawner?: Spawner;
}

export interface LocalCommandExecutor {
  /**
   * Runs the command to its end and reports every expected failure as an outcome. After `signal` is aborted it
   * settles within the grace time and about two seconds.
   */
  execute(command: StepCommand, context: CommandContext): Promise<CommandOutcome>;
}
