import type { LocalRun } from '@weir/workflow-spec';
import type { Enclosure } from '../../model/ports/step-isolation';
import type { StepLogFiles } from '../../model/run-model/log-layout';
import type { LogLimit } from '../../model/ports/log-limits';
import type { Masker } from '../../values/masking/masker';
import type { ProcessIdentity, StepOutcome } from '../../model/steps/step-outcome';
import type { StepShell } from '../../values/environment/step-shell';

/** A program that is started without a shell. */
export interface ProgramRun {
  readonly kind: 'program';
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * A local step with its references replaced, its environment complete and its paths absolute. A shell that the step
 * names is used exactly as written, even for a script with a `#!` line; otherwise a Unix shell gets `-e` and a `#!`
 * line is honoured.
 */
export interface StepCommand extends StepShell {
  /**
   * Strings passed to the shell unchanged. Commands run one after another until one fails; a script, or a command of
   * several lines, goes through a temporary file. A program needs no shell.
   */
  readonly run: LocalRun | ProgramRun;
  /** Positional parameters `$1`, `$2`, … of the strings; only for Unix shells and scripts. */
  readonly args?: readonly string[];
  /** Created when missing. */
  readonly cwd: string;
  /** The whole environment; only `PWD` and `WEIR_STEP_MARK` are added. */
  readonly env: Readonly<Record<string, string>>;
  /** A regular file that programs read as standard input, which is empty when this is missing. */
  readonly stdinFile?: string | undefined;
  /** Appended to; created, with its folders, readable by the owner only. May be the same file as `stderrFile`. */
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** Sent when the step is stopped. Default `SIGTERM`. */
  readonly stopSignal?: string | undefined;
  /** Time between that signal and SIGKILL. Default: that of the executor. */
  readonly killGraceMs?: number | undefined;
  /** Masks secrets in the output of the command before it is stored. */
  readonly masker?: Masker | undefined;
  /** Files that a stream is also written to; see `streamCopies`. */
  readonly copies?: Partial<StepLogFiles> | undefined;
  /** Limits the size of the step's logs; they are unlimited when it is missing. */
  readonly logLimit?: LogLimit | undefined;
  /** The enclosure in which the command executes; without it, it executes as the server itself. */
  readonly enclosure?: Enclosure | undefined;
}

export interface CommandContext {
  readonly signal: AbortSignal;
  readonly onStarted: (process: ProcessIdentity) => void;
}

export interface CommandOutcome extends StepOutcome {
  /** The last process that was started. */
  readonly process?: ProcessIdentity;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

export interface LocalCommandExecutor {
  /**
   * Runs the command to its end and reports every expected failure as an outcome. After `signal` is aborted it
   * settles within the grace time and about two seconds.
   */
  run(command: StepCommand, context: CommandContext): Promise<CommandOutcome>;
}
