import type { Step } from '@weir/workflow-spec';
import type { ProcessIdentity, StepOutcome } from '../../model/steps/step-outcome';
import type { StepInputs } from '../../values/run-values/resolve-step';
import type { ActiveScope } from './active-scope';

export interface StepContext {
  /** The index of the step in the plan of the scope. */
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

/**
 * Executes one attempt of a step. Must settle within a bounded time after `signal` is aborted: a run waits for all its
 * steps. An executor that rejects makes the step failed, or aborted when its signal was.
 */
export interface StepExecutor {
  execute(step: Step, context: StepContext): Promise<StepOutcome>;
}

/** One attempt of a step, with everything around it. */
export interface StepExecution extends Omit<StepInputs, 'iterations'>, StepContext {
  readonly scope: ActiveScope;
}
