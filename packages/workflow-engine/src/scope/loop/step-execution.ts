import type { StepInputs } from '../../values/run-values/resolve-step';
import type { ActiveScope } from './active-scope';
import type { ProcessIdentity } from '../../model/steps/step-outcome';

/** One attempt of a step, with everything around it. */
export interface StepExecution extends StepInputs {
  readonly scope: ActiveScope;
  /** The index of the step in the plan of the scope. */
  readonly index: number;
  /** Counts from 1. */
  readonly attempt: number;
  /** Iterations of a repeated step that have ended. */
  readonly iterations: number;
  /** Asks for the end of this attempt. */
  readonly signal: AbortSignal;
  /** To be called for every process that the step starts. */
  readonly onStarted: (process: ProcessIdentity) => void;
}
