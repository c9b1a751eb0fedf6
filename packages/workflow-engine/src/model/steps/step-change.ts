import type { RunStatus } from '../statuses/run-status';
import type { ProcessIdentity, StepOutcome } from './step-outcome';

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
