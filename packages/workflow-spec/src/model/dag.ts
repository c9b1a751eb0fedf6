import type { Container } from './container';
import type { Harnesses } from './harness';
import type { JsonObject } from './json';
import type { MailMessage, MailOn, MailServer } from './mail';
import type { ActionLock } from './packaged-action';
import type { ParamDef, ParamScalar, ParamSchemaSource } from './param';
import type { Condition, DagRetryPolicy } from './policies';
import type { OverlapPolicy, Schedule } from './schedule';
import type { Trigger } from './trigger';
import type { Secret } from './secret';
import type { Tool } from './tool';
import type { EnvEntry, LogOutput, Step, WorkerSelector } from './step';

/**
 * `graph`: steps run in the order of `depends`; `chain`: each step runs after the previous one; `build`: like a
 * graph, but a step that makes an input of another one runs before it; `agent`: a model decides which step runs next.
 */
export type DagType = 'graph' | 'chain' | 'build' | 'agent';

export type HandlerKind = 'init' | 'success' | 'failure' | 'abort' | 'exit' | 'wait';

/** The settings that a DAG and a base configuration share. */
export interface DagSettings {
  readonly description?: string;
  readonly group?: string;
  /** `key` or `key=value`, lower-case, sorted, without duplicates. */
  readonly labels: readonly string[];
  readonly params: readonly ParamDef[];
  readonly paramSchema?: ParamSchemaSource;
  readonly consts?: readonly { readonly name: string; readonly value: ParamScalar }[];
  readonly env: readonly EnvEntry[];
  /** Environment files in the order they are read, `.env` first; empty disables them. Default: `.env` alone. */
  readonly dotenv?: readonly string[];
  readonly secrets?: readonly Secret[];
  readonly workingDir?: string;
  readonly shell?: readonly string[];
  readonly schedule: readonly Schedule[];
  readonly stopSchedule?: readonly Schedule[];
  readonly restartSchedule?: readonly Schedule[];
  readonly triggers?: readonly Trigger[];
  readonly skipIfSuccessful?: boolean;
  /** The time for which missed occurrences are caught up. Default: no catch-up. */
  readonly catchupWindowSec?: number;
  /** Default: `skip`. */
  readonly overlapPolicy?: OverlapPolicy;
  /** Default: the DAG's own queue. */
  readonly queue?: string;
  /** Deprecated; has no effect on the DAG's own queue. */
  readonly maxActiveRuns?: number;
  /** Limits the steps of one run that execute at the same time; 0 means no limit. */
  readonly maxActiveSteps: number;
  /** Seconds for the whole run; 0 and missing mean no limit. */
  readonly timeoutSec?: number;
  /** Seconds between step starts. Default: 0. */
  readonly delaySec?: number;
  /** Seconds between the end of a run and its restart. Default: 0. */
  readonly restartWaitSec?: number;
  /** Seconds that a stopped step has to end. Default: 5. */
  readonly maxCleanUpTimeSec?: number;
  /** Retries of the whole run after a failure. */
  readonly retryPolicy?: DagRetryPolicy;
  /** When one of the conditions does not hold, the run does not start. */
  readonly preconditions?: readonly Condition[];
  /** Names of handlers do not collide with those of the steps. */
  readonly handlers?: Readonly<Partial<Record<HandlerKind, Step>>>;
  /** The handlers inherited from a base configuration; child runs do not execute them. */
  readonly inheritedHandlers?: readonly HandlerKind[];
  readonly mailOn?: MailOn;
  readonly smtp?: MailServer;
  /** Settings of mailboxes by address; see `checkMailAccount`. */
  readonly mailAccounts?: Readonly<Record<string, JsonObject>>;
  readonly errorMail?: MailMessage;
  readonly infoMail?: MailMessage;
  readonly waitMail?: MailMessage;
  readonly logDir?: string;
  /** Default: `separate`. */
  readonly logOutput?: LogOutput;
  /** Bytes of captured output per step. Default: 1,048,576. */
  readonly maxOutputSize?: number;
  readonly artifacts?: { readonly enabled: boolean; readonly dir?: string };
  /** At most one of the two is given. Default: 30 days. */
  readonly histRetentionDays?: number;
  readonly histRetentionRuns?: number;
  readonly container?: Container;
  /** A map from registry host to credentials, or a JSON string of such a map. */
  readonly registryAuths?: JsonObject | string;
  /** Defaults of the `ssh.run` and `sftp.*` actions. */
  readonly ssh?: JsonObject;
  /** Defaults of the `s3.*` actions. */
  readonly s3?: JsonObject;
  /** Defaults of the `redis.*` actions. */
  readonly redis?: JsonObject;
  /** Defaults of the `kubernetes.run` action. */
  readonly kubernetes?: JsonObject;
  /** Defaults of the `chat.completion` action. */
  readonly llm?: JsonObject;
  /** Defaults of the `harness.run` action. */
  readonly harness?: JsonObject;
  /** External coding agents, by name. */
  readonly harnesses?: Harnesses;
  /** The tools are installed before the steps of a run, whose `PATH` finds them first. */
  readonly tools?: readonly Tool[];
  readonly workerSelector?: WorkerSelector;
  readonly runConfig?: { readonly disableParamEdit: boolean; readonly disableRunIdEdit: boolean };
  readonly webhook?: { readonly forwardHeaders: readonly string[] };
  readonly otel?: JsonObject;
}

/** A DAG in its canonical form, independent of the spelling in the file. */
export interface Dag extends DagSettings {
  readonly name: string;
  /** The workspace of the only valid `workspace=<name>` label; otherwise missing. */
  readonly workspace?: string;
  readonly type: DagType;
  /** The default parameters on one line: `name=value other="two words"`. */
  readonly defaultParams?: string;
  /** The locks of the packaged actions that its steps call, by the action. */
  readonly actionLocks?: Readonly<Record<string, ActionLock>>;
  /** Of an agent only one, `__agent__`, which has the steps of the file in it. */
  readonly steps: readonly Step[];
}
