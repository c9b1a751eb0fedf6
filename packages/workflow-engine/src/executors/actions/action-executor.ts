import type { JsonObject } from '@weir/workflow-spec';
import type { Clock } from '../../clock';
import type { OutputAnswer, OutputRequest } from '../../outputs/evaluate-outputs';
import type { StepOutcome } from '../../step-ports';
import type { CommandContext, LocalCommandExecutor } from '../local-command/step-command';
import type { Pause } from './pause';

/** A step that calls an action, with everything worked out. */
export interface ActionCall {
  readonly action: string;
  /** Settings in their canonical form, with every reference replaced; checked again by the executor. */
  readonly with: JsonObject;
  /** Relative paths of the settings go by it; created when missing. Absolute. */
  readonly cwd: string;
  /** The whole environment of the step: what a program is given, and where `~` leads. */
  readonly env: Readonly<Record<string, string>>;
  /** Appended to; created, with its folders, readable by the owner only. May be the same file as `stderrFile`. */
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** For a program: what asks it to end, and how long it may take then; see `StepCommand`. */
  readonly stopSignal?: string | undefined;
  readonly killGraceMs?: number | undefined;
  /** Most bytes that an action keeps in memory and prints of one answer, file or value. */
  readonly maxOutputBytes: number;
}

/**
 * Does the work of one action. Reports every expected failure as an outcome, whose error never holds a setting; settles
 * soon after the signal of the context is aborted.
 */
export interface ActionExecutor {
  execute(call: ActionCall, context: CommandContext): Promise<StepOutcome>;
}

export interface ActionDependencies {
  readonly clock: Clock;
  /** Runs the program of `exec`, supervised like any command. */
  readonly commands: LocalCommandExecutor;
  /** Applies jq expressions, in bounded time and memory; rejects only when it cannot be done at all. */
  readonly evaluate: (request: OutputRequest, signal: AbortSignal) => Promise<OutputAnswer>;
  /** How an action lets time pass; a real timer when not given. */
  readonly pause?: Pause;
}
