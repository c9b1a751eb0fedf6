import type { Approval } from './approval';
import type { Container } from './container';
import type { JsonObject, JsonValue } from './json';
import type { DeclaredOutput, OutputSchema, StepOutput, StreamCopy } from './outputs';
import type { Condition, ContinueOn, RepeatPolicy, RetryPolicy } from './policies';

export interface EnvEntry {
  readonly name: string;
  /** May refer to earlier entries and to parameters; worked out when the run starts. */
  readonly value: string;
}

export type LogOutput = 'separate' | 'merged';

/** Where a run or a step is carried out: on this server, or by a worker with these labels. */
export type WorkerSelector = 'local' | Readonly<Record<string, string>>;

export interface Step {
  readonly name: string;
  readonly id?: string;
  readonly description?: string;
  readonly run: StepRun;
  /** Names of the steps before this one, ids already replaced by names and chain order already applied. */
  readonly depends: readonly string[];
  readonly env: readonly EnvEntry[];
  readonly workingDir?: string;
  /** Shell with its arguments; missing means the DAG's. */
  readonly shell?: readonly string[];
  /** Packages that a nix shell brings. */
  readonly shellPackages?: readonly string[];
  readonly parallel?: Parallel;
  /** All must hold, else the step is skipped. Missing is none. */
  readonly preconditions?: readonly Condition[];
  readonly continueOn?: ContinueOn;
  readonly retryPolicy?: RetryPolicy;
  readonly repeatPolicy?: RepeatPolicy;
  /** Seconds for one attempt, beating the limit of the run; 0 and missing are no limit of its own. */
  readonly timeoutSec?: number;
  /** With `SIG` in front; `SIGTERM` when missing. */
  readonly signalOnStop?: string;
  /** Whether a step that was cut off by the death of its server is begun again; `false` when missing. */
  readonly idempotent?: boolean;
  /** `false` when missing. */
  readonly mailOnError?: boolean;
  readonly stdout?: StreamCopy;
  readonly stderr?: StreamCopy;
  readonly logOutput?: LogOutput;
  readonly output?: StepOutput;
  readonly outputSchema?: OutputSchema;
  readonly outputs?: readonly DeclaredOutput[];
  /** Files and globs sent along to a worker. */
  readonly dependencies?: readonly string[];
  readonly container?: Container;
  readonly workerSelector?: WorkerSelector;
  readonly approval?: Approval;
}

/** Items known when the file is read, or a text that gives them when the step runs. */
export type Items = readonly JsonValue[] | string;

/** One child run for each item; only of a step that calls a DAG. */
export interface Parallel {
  readonly items: Items;
  readonly maxConcurrent: number;
}

/** One output of the loop: its name, and the reference that gives its value for one item. */
export interface Collected {
  readonly name: string;
  readonly value: string;
}

/** What a shell of this host does: commands one after another, or a script handed to it as a file. */
export type LocalRun =
  | { readonly kind: 'commands'; readonly commands: readonly string[] }
  | { readonly kind: 'script'; readonly script: string };

/** An action of the catalogue with its settings, whose texts may hold references. */
export interface ActionRun {
  readonly kind: 'action';
  readonly action: string;
  readonly with: JsonObject;
}

/** What a step does. */
export type StepRun =
  | LocalRun
  | ActionRun
  /** The body once for each item. */
  | {
      readonly kind: 'foreach';
      readonly items: Items;
      /** The name of the item in the body. */
      readonly as: string;
      /** A stable key of an item. */
      readonly key?: string;
      readonly maxConcurrent: number;
      readonly steps: readonly Step[];
      readonly collect: readonly Collected[];
    };
