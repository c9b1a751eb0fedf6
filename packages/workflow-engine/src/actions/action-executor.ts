import type { JsonObject, MailServer } from '@weir/workflow-spec';
import type { Clock } from '../ports/clock';
import type { StepLogFiles } from '../logs/log-layout';
import type { Masker } from '../masking/masker';
import type { SendMail } from '../mail/mail';
import type { OutputResult, OutputRequest } from '../outputs/evaluate-outputs';
import type { StepOutcome } from '../scope/step-ports';
import type { CommandContext, LocalCommandExecutor } from '../local-command/step-command';
import type { RunJs } from './js/run-js';
import type { Pause } from './pause';
import type { StateOwner, StateStore } from './state/state-store';

/** A step that calls an action, with everything worked out. */
export interface ActionCall {
  readonly action: string;
  /** Settings in their canonical form, with every reference replaced; checked again by the executor. */
  readonly with: JsonObject;
  /** Relative paths of the settings go by it; created when missing. Absolute. */
  readonly cwd: string;
  /** The whole environment of the step: what a program is given, and where `~` leads. */
  readonly env: Readonly<Record<string, string>>;
  /** The entries of `env` that the step gives itself: what another host is told. None when missing. */
  readonly stepEnv?: Readonly<Record<string, string>>;
  /** What of `env` is not this host's own: what a container is told. None when missing. */
  readonly containerEnv?: Readonly<Record<string, string>>;
  /** Of the DAG, with every reference replaced: how registries are signed in to. */
  readonly registryAuths?: JsonObject | string | undefined;
  /** Appended to; created, with its folders, readable by the owner only. May be the same file as `stderrFile`. */
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** For a program: what asks it to end, and how long it may take then; see `StepCommand`. */
  readonly stopSignal?: string | undefined;
  readonly killGraceMs?: number | undefined;
  /** Most bytes that an action keeps in memory and prints of one answer, file or value. */
  readonly maxOutputBytes: number;
  /** Hides secrets in all that is printed, before it is stored. */
  readonly masker?: Masker | undefined;
  /** Files that a stream goes to as well; see `streamCopies`. */
  readonly copies?: Partial<StepLogFiles> | undefined;
  /** The folder of the artifacts; missing in a run of a DAG without them. */
  readonly artifactsDir?: string | undefined;
  /** Whose entries `state.*` means. */
  readonly owner?: StateOwner | undefined;
  /** Of the DAG, with every reference replaced; only mail is sent by it. */
  readonly mailServer?: MailServer | undefined;
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
  readonly evaluate: (request: OutputRequest, signal: AbortSignal) => Promise<OutputResult>;
  /** Runs functions for `js.run`, which fails without it. */
  readonly runJs?: RunJs;
  /** Keeps entries over runs for `state.*`, which fail without it. */
  readonly state?: StateStore;
  /** How an action lets time pass; a real timer when not given. */
  readonly pause?: Pause;
  /** How mail is sent; by SMTP when not given. */
  readonly sendMail?: SendMail;
}
