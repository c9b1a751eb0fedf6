import type { Container } from './container';
import type { JsonObject } from './json';
import type { MailMessage, MailOn, MailServer } from './mail';
import type { ParamDef, ParamScalar, ParamSchemaSource } from './param';
import type { Condition, DagRetryPolicy } from './policies';
import type { OverlapPolicy, Schedule } from './schedule';
import type { Secret } from './secret';
import type { EnvEntry, LogOutput, Step, WorkerSelector } from './step';

/** How the order of steps is found: by `depends`, or each step after the one before it. */
export type DagType = 'graph' | 'chain';

/** The lifecycle steps of a run. */
export type HandlerKind = 'init' | 'success' | 'failure' | 'abort' | 'exit' | 'wait';

/** Everything of a DAG that a base configuration can give too. What is missing has the default that is named. */
export interface DagSettings {
  readonly description?: string;
  readonly group?: string;
  /** `key` or `key=value`, lower-case, sorted, each once. */
  readonly labels: readonly string[];
  readonly params: readonly ParamDef[];
  readonly paramSchema?: ParamSchemaSource;
  readonly consts?: readonly { readonly name: string; readonly value: ParamScalar }[];
  readonly env: readonly EnvEntry[];
  /** Environment files in the order they are read, `.env` first; empty turns them off. Default: `.env` alone. */
  readonly dotenv?: readonly string[];
  readonly secrets?: readonly Secret[];
  readonly workingDir?: string;
  readonly shell?: readonly string[];
  /** When runs start. */
  readonly schedule: readonly Schedule[];
  readonly stopSchedule?: readonly Schedule[];
  readonly restartSchedule?: readonly Schedule[];
  readonly skipIfSuccessful?: boolean;
  /** How far missed slots are looked back for; missing is no catch-up. */
  readonly catchupWindowSec?: number;
  /** `skip` when missing. */
  readonly overlapPolicy?: OverlapPolicy;
  /** Name of the queue of the runs; the DAG's own when missing. */
  readonly queue?: string;
  /** Deprecated, and without effect on the DAG's own queue. */
  readonly maxActiveRuns?: number;
  /** Steps of one run that may run at the same time; 0 is no limit. */
  readonly maxActiveSteps: number;
  /** Seconds for a whole run; 0 and missing are no limit. */
  readonly timeoutSec?: number;
  /** Seconds between step starts; 0 when missing. */
  readonly delaySec?: number;
  /** Seconds between the end of a run and its restart; 0 when missing. */
  readonly restartWaitSec?: number;
  /** Seconds a stopped step has to end; 5 when missing. */
  readonly maxCleanUpTimeSec?: number;
  /** Retries of a whole failed run. */
  readonly retryPolicy?: DagRetryPolicy;
  /** All must hold, else the run does not begin. Missing and empty are none. */
  readonly preconditions?: readonly Condition[];
  /** Their names are not among those of the steps. */
  readonly handlers?: Readonly<Partial<Record<HandlerKind, Step>>>;
  /** The handlers that a base configuration gave; a sub-DAG run leaves them out. */
  readonly inheritedHandlers?: readonly HandlerKind[];
  readonly mailOn?: MailOn;
  readonly smtp?: MailServer;
  readonly errorMail?: MailMessage;
  readonly infoMail?: MailMessage;
  readonly waitMail?: MailMessage;
  readonly logDir?: string;
  /** `separate` when missing. */
  readonly logOutput?: LogOutput;
  /** Bytes of captured output of a step; 1,048,576 when missing. */
  readonly maxOutputSize?: number;
  readonly artifacts?: { readonly enabled: boolean; readonly dir?: string };
  /** At most one of the two is given; 30 days when both are missing. */
  readonly histRetentionDays?: number;
  readonly histRetentionRuns?: number;
  readonly container?: Container;
  /** From the host of a registry to its sign-in, or one JSON text that holds them. */
  readonly registryAuths?: JsonObject | string;
  /** Defaults of the ssh actions. */
  readonly ssh?: JsonObject;
  /** Defaults of the chat action. */
  readonly llm?: JsonObject;
  readonly resources?: { readonly cpu?: string; readonly memory?: string };
  readonly workerSelector?: WorkerSelector;
  readonly runConfig?: { readonly disableParamEdit: boolean; readonly disableRunIdEdit: boolean };
  readonly webhook?: { readonly forwardHeaders: readonly string[] };
  readonly otel?: JsonObject;
}

/** The canonical form of a DAG file. The authored YAML forms never leave this package. */
export interface Dag extends DagSettings {
  readonly name: string;
  /** From exactly one valid `workspace=<name>` label, otherwise missing. */
  readonly workspace?: string;
  readonly type: DagType;
  /** The parameters as written, one line: `name=value other="two words"`. */
  readonly defaultParams?: string;
  readonly steps: readonly Step[];
}
