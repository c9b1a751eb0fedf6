import type { BuildDecision } from '../build/build-cache';
import type { Step } from '@weir/workflow-spec';
import type { StepOutputs } from '../outputs/step-outputs';
import type { RunStatus } from '../statuses/run-status';
import type { StepEnd } from '../statuses/node-status';

/** A process of this host that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, as the system reports it. Opaque: only to be compared. */
  readonly startedAt: string;
}

export interface StepContext {
  /** The index of the step in the plan. */
  readonly index: number;
  /** Counts from 1. */
  readonly attempt: number;
  /** Iterations of a repeated step that have ended. */
  readonly iterations: number;
  /** Asks for the end of this attempt. */
  readonly signal: AbortSignal;
  /** To be called for every process the step starts, so that it is recorded and found again after a crash. */
  readonly onStarted: (process: ProcessIdentity) => void;
}

export interface StepOutcome {
  readonly status: StepEnd;
  readonly exitCode?: number;
  /** Name of the signal that ended the process: `SIGKILL`. */
  readonly signal?: string;
  /** A short text for users about why the step did not succeed. Never its command or script. */
  readonly error?: string;
  /** What the attempt published; missing for a step that publishes nothing. */
  readonly outputs?: StepOutputs;
  /** How the step of a build came to its files. */
  readonly build?: BuildDecision;
  /** Names of steps that depend on this one and are skipped after all, because another route was chosen. */
  readonly skips?: readonly string[];
  /** What was caught, for the log. Never stored, never shown. */
  readonly cause?: unknown;
}

/**
 * Executes one attempt of a step. Must settle within a bounded time after `signal` is aborted: a run waits for all its
 * steps. An executor that rejects makes the step failed, or aborted when its signal was.
 */
export interface StepExecutor {
  execute(step: Step, context: StepContext): Promise<StepOutcome>;
}

interface StepChangeBase {
  readonly index: number;
  readonly stepName: string;
}

/** The step is about to start; the attempt has no process yet. */
export interface StepStarting extends StepChangeBase {
  readonly kind: 'starting';
  /** Counts from 1, over retries and iterations. */
  readonly attempt: number;
  readonly retryCount: number;
  readonly at: Date;
}

/** The running step has a process now; a step with several commands has one after another. */
export interface StepProcessStarted extends StepChangeBase {
  readonly kind: 'process_started';
  readonly attempt: number;
  readonly process: ProcessIdentity;
}

/** The attempt has failed, and another one follows. */
export interface StepRetrying extends StepChangeBase {
  readonly kind: 'retrying';
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: StepOutcome;
  readonly afterMs: number;
}

/** An iteration of a repeated step has ended, and another one follows. */
export interface StepIterationEnded extends StepChangeBase {
  readonly kind: 'iteration_ended';
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: StepOutcome;
  readonly afterMs: number;
  /** Iterations that have ended. */
  readonly doneCount: number;
}

/** The step waits for a person. */
export interface StepWaiting extends StepChangeBase {
  readonly kind: 'waiting';
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: StepOutcome;
}

/** The last attempt has ended, and the step with it. */
export interface StepEnded extends StepChangeBase {
  readonly kind: 'ended';
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: StepOutcome;
  /** Whether its dependents execute although it failed. */
  readonly continues: boolean;
  /** Iterations of a repeated step that have ended; missing for other steps. */
  readonly doneCount?: number;
}

/** The step will never start in this run. */
export interface StepNotStarted extends StepChangeBase {
  readonly kind: 'not_started';
  readonly at: Date;
  /** `failed` when the check of its preconditions failed. */
  readonly status: 'aborted' | 'skipped' | 'failed';
  readonly error: string;
}

export type StepChange =
  StepStarting | StepProcessStarted | StepRetrying | StepIterationEnded | StepWaiting | StepEnded | StepNotStarted;

/**
 * Stores what happened. When the promise is fulfilled the changes are durable; nothing that builds on them
 * happens before. Calls of one run never overlap, and changes of one step come in order. With the changes that end
 * the last step comes the status that follows for the scope.
 */
export interface RunRecorder {
  stepsChanged(changes: readonly StepChange[], end?: RunStatus): Promise<void>;
}
