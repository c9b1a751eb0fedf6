import type { Approval } from './approval';
import type { Container } from './container';
import type { DeclaredOutput, OutputSchema, StepOutput, StreamCopy } from './outputs';
import type { Condition, ContinueOn, RepeatPolicy, RetryPolicy } from './policies';
import type { Parallel, StepRun } from './work';

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
