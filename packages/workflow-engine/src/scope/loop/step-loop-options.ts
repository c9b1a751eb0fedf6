import type { Clock } from '../../model/ports/clock';
import type { Plan } from '../../model/plan/plan';
import type { StepSnapshot } from './step-snapshot';
import type { RunStatus } from '../../model/statuses/run-status';
import type { StepChecks } from './step-checks';
import type { RunRecorder } from '../../model/steps/step-change';
import type { StepExecutor } from './step-execution';
import type { Timer } from '../../model/ports/timer';

export interface StepLoopOptions {
  readonly plan: Plan;
  readonly executor: StepExecutor;
  readonly checks: StepChecks;
  readonly recorder: RunRecorder;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Stops the run: running steps are asked to end, the others become aborted. */
  readonly signal: AbortSignal;
  /**
   * Releases the run for its next owner: active steps are asked to end, nothing more is recorded, and the promise rejects
   * with `run_released`.
   */
  readonly release?: AbortSignal | undefined;
  /** The stored state of each step of a run that is resumed. */
  readonly snapshots?: readonly StepSnapshot[] | undefined;
  /** Most steps that execute at the same time; 0 is no limit. */
  readonly maxActiveSteps: number;
  /** Seconds between the starts of two steps; 0 when missing. */
  readonly delaySec?: number | undefined;
  /** Seconds for all steps together; 0 and missing are no limit. */
  readonly timeoutSec?: number | undefined;
  /** Seconds that an iteration of a repeated step may continue after a stop; 5 when missing. */
  readonly maxCleanUpTimeSec?: number | undefined;
}

export interface ScopeOutcome {
  readonly status: RunStatus;
  /** The steps that wait for people. */
  readonly waiting: readonly number[];
}
