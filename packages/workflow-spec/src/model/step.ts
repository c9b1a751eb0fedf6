import type { Approval } from './approval';
import type { BuildFile } from './build-file';
import type { Container } from './container';
import type { JsonObject, JsonValue } from './json';
import type { PackagedAction } from './packaged-action';
import type { DeclaredOutput, OutputSchema, StepOutput, StreamCopy } from './outputs';
import type { Condition, ContinueOn, RepeatPolicy, RetryPolicy } from './policies';

export interface EnvEntry {
  readonly name: string;
  /** May refer to earlier entries and to parameters; resolved when the run starts. */
  readonly value: string;
}

export type LogOutput = 'separate' | 'merged';

/** Decides where a run or step executes: on this server, or on a worker with these labels. */
export type WorkerSelector = 'local' | Readonly<Record<string, string>>;

export interface Step {
  readonly name: string;
  readonly id?: string;
  readonly description?: string;
  readonly run: StepRun;
  /** Names of the upstream steps, with ids resolved and chain order applied. */
  readonly depends: readonly string[];
  /** Those of `depends` that the step does not name, but whose outputs it reads. None when missing. */
  readonly inferred?: readonly string[];
  readonly env: readonly EnvEntry[];
  readonly workingDir?: string;
  /** Shell with its arguments. Default: the shell of the DAG. */
  readonly shell?: readonly string[];
  readonly parallel?: Parallel;
  /** When one of the conditions does not hold, the step is skipped. */
  readonly preconditions?: readonly Condition[];
  readonly continueOn?: ContinueOn;
  readonly retryPolicy?: RetryPolicy;
  readonly repeatPolicy?: RepeatPolicy;
  /** Seconds for one attempt; 0 and missing mean no limit other than the run's. */
  readonly timeoutSec?: number;
  /** The name has the `SIG` prefix. Default: `SIGTERM`. */
  readonly signalOnStop?: string;
  /** Whether the step is started again when its server died during an attempt. Default: false. */
  readonly idempotent?: boolean;
  /** Default: false. */
  readonly mailOnError?: boolean;
  readonly stdout?: StreamCopy;
  readonly stderr?: StreamCopy;
  readonly logOutput?: LogOutput;
  readonly output?: StepOutput;
  readonly outputSchema?: OutputSchema;
  readonly outputs?: readonly DeclaredOutput[];
  /** The files that a step of a build reads. */
  readonly inputs?: readonly BuildFile[];
  /** The files that a step of a build makes, from `outputs` with a path. */
  readonly targets?: readonly BuildFile[];
  /** Files, folders and patterns below the working folder of the DAG, copied into the work folder of the run. */
  readonly dependencies?: readonly string[];
  readonly container?: Container;
  readonly workerSelector?: WorkerSelector;
  readonly approval?: Approval;
}

/** Items known when the file is read, or a string that yields them when the step runs. */
export type Items = readonly JsonValue[] | string;

/** One child run per item; only for a step that calls a DAG. */
export interface Parallel {
  readonly items: Items;
  readonly maxConcurrent: number;
}

/** An output of the loop: its name, and the reference that yields its value for one item. */
export interface Collected {
  readonly name: string;
  readonly value: string;
}

/** The work of a local shell: commands in sequence, or a script passed as a file. */
export type LocalRun =
  | { readonly kind: 'commands'; readonly commands: readonly string[] }
  | { readonly kind: 'script'; readonly script: string };

/** An action of the catalogue with its settings, whose strings may contain references. */
export interface ActionRun {
  readonly kind: 'action';
  readonly action: string;
  readonly with: JsonObject;
  /** The package with the DAG of `dag.run`, when it is not in the DAGs folder. */
  readonly package?: PackagedAction;
}

/** A goal of an agent. */
export interface AgentTask {
  readonly name: string;
  /** When the task is done; may contain references. */
  readonly description: string;
}

/** A model chooses one of the steps again and again, until no task is open. */
export interface AgentRun {
  readonly kind: 'agent';
  readonly tasks: readonly AgentTask[];
  /** In any order; none depends on another one. */
  readonly steps: readonly Step[];
}

export type StepRun =
  | LocalRun
  | ActionRun
  /** Executes the body once per item. */
  | {
      readonly kind: 'foreach';
      readonly items: Items;
      /** The name of the item in the body. */
      readonly as: string;
      /** A stable key of the item. */
      readonly key?: string;
      readonly maxConcurrent: number;
      readonly steps: readonly Step[];
      readonly collect: readonly Collected[];
    }
  | AgentRun;
