import type { Harnesses, JsonObject, MailServer } from '@weir/workflow-spec';
import type { ExecutableActionName, SettingsFor } from '@weir/workflow-spec/actions';
import type { Enclosure } from '../../model/ports/step-isolation';
import type { CommandContext, LocalCommandExecutor } from '../../host/local-command/step-command';
import type { StepLogFiles } from '../../model/run-model/log-layout';
import type { LogLimit } from '../../model/ports/log-limits';
import type { SendMail } from '../../host/mail/mail';
import type { Masker } from '../../values/masking/masker';
import type { OutputRequest, OutputResult } from '../../values/outputs/evaluate-outputs';
import type { Clock } from '../../model/ports/clock';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { ActionLog } from '../../host/logs/action-log';
import type { CallableDags } from './callable-dags';
import type { RunJs } from './run-js';
import type { ModelUse } from '../../model/run-model/model-use';
import type { FileLocks } from '../../host/file-locks/file-locks';
import type { Pause } from '../../host/concurrency/pause';
import type { StateOwner, StateStore } from './state-store';

/** A step that calls an action, with its references replaced, its environment complete and its paths absolute. */
export interface ActionCall {
  readonly action: ExecutableActionName;
  /** Names the folder of what the step saves. */
  readonly stepName?: string | undefined;
  /** Settings in their canonical form, with every reference replaced; checked again before they are used. */
  readonly with: JsonObject;
  /** The folder that relative paths of the settings start from; created when missing. */
  readonly cwd: string;
  /** The whole environment of the step: what a program is given, and where `~` leads. */
  readonly env: Readonly<Record<string, string>>;
  /** The entries of `env` that the step sets itself, which is what a remote host is given. None when missing. */
  readonly stepEnv?: Readonly<Record<string, string>>;
  /** The entries of `env` that are not those of this host, which is what a container is given. None when missing. */
  readonly containerEnv?: Readonly<Record<string, string>>;
  /** Credentials of image registries, from the DAG. */
  readonly registryAuths?: JsonObject | string | undefined;
  /** From the DAG, for `harness.run`, with their references replaced. */
  readonly harnesses?: Harnesses | undefined;
  /** Appended to; created, with its folders, readable by the owner only. May be the same file as `stderrFile`. */
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** For a program: the signal that asks it to end, and how long it may take then; see `StepCommand`. */
  readonly stopSignal?: string | undefined;
  readonly killGraceMs?: number | undefined;
  /** Most bytes that an action holds in memory and prints of one response, file or value. */
  readonly maxOutputBytes: number;
  /** What the standard output has to match. */
  readonly outputSchema?: JsonObject | undefined;
  /** Masks secrets in all output before it is stored. */
  readonly masker?: Masker | undefined;
  /** Files that a stream is also written to; see `streamCopies`. */
  readonly copies?: Partial<StepLogFiles> | undefined;
  /** Limits the size of the step's logs; they are unlimited when it is missing. */
  readonly logLimit?: LogLimit | undefined;
  /** Where programs execute, and which paths are open to the step; all when missing. */
  readonly enclosure?: Enclosure | undefined;
  /** The folder of the artifacts; missing in a run of a DAG without them. */
  readonly artifactsDir?: string | undefined;
  /** Where the run writes down the working trees that it removes at its end. */
  readonly ownTreesFolder?: string | undefined;
  /** The run whose entries `state.*` reads and changes. */
  readonly owner?: StateOwner | undefined;
  /** From the DAG, for mail only. */
  readonly mailServer?: MailServer | undefined;
  /** The account that `mailbox` of a mail action names, with its references replaced; checked before it is used. */
  readonly mailAccount?: { readonly address: string; readonly settings: JsonObject } | undefined;
}

/** Actions use these services of the program around them. */
export interface ActionServices {
  readonly clock: Clock;
  /** Runs the program of `exec`, supervised like any command. */
  readonly commands: LocalCommandExecutor;
  /** Applies jq expressions in bounded time and memory; rejects only when it cannot be done at all. */
  readonly evaluate: (request: OutputRequest, signal: AbortSignal) => Promise<OutputResult>;
  /** Runs functions for `js.run`, which fails without it. */
  readonly runJs?: RunJs;
  /** Keeps changes of one repository apart, which git does not; they may get in each other's way when missing. */
  readonly locks?: FileLocks | undefined;
  /** Stores entries across runs for `state.*`, which fail without it. */
  readonly state?: StateStore;
  /** Waits for an action; uses a real timer when missing. */
  readonly pause?: Pause;
  /** The built `file-program`, which executes `sqlite.*`, `duckdb.query` and `xlsx.*`; they fail without it. */
  readonly fileProgram?: string | undefined;
  /** Sends mail; by SMTP when missing. */
  readonly sendMail?: SendMail | undefined;
  /** The DAGs that the step may start; none when missing. */
  readonly dags?: CallableDags;
}

/** One execution of an action, apart from its settings. */
export interface ActionContext {
  readonly call: ActionCall;
  readonly services: ActionServices;
  readonly signal: AbortSignal;
  /** Must be called for every process that the action starts. */
  readonly onStarted: CommandContext['onStarted'];
  readonly log: ActionLog;
}

export interface ActionWork<Name extends ExecutableActionName> extends ActionContext {
  readonly settings: SettingsFor<Name>;
  /** Must be called for every reply of a model, also in an attempt that fails. */
  readonly onModelUse: (use: ModelUse) => void;
}

/**
 * Performs one action. Throws an `AppError` to fail the step with its message, which must never hold a setting, and
 * may throw anything once the signal is aborted, after which it settles soon. Without an outcome it has succeeded.
 */
export type ActionExecutor<Name extends ExecutableActionName> = (
  work: ActionWork<Name>,
) => Promise<StepOutcome | undefined>;

/** One executor for each action that has one: a name that is missing, or one too many, does not compile. */
export type ActionExecutors = { readonly [Name in ExecutableActionName]: ActionExecutor<Name> };
