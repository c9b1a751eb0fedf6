import type { Step } from '@weir/workflow-spec';
import type { ProcessIdentity, StepOutcome } from '../scope/step-ports';
import type { RunContext } from '../run/run-context';
import type { ActiveScope } from '../scope/active-scope';
import type { StepInputs } from './resolve-step';

/** One attempt of a step, with everything around it. */
export interface StepExecution extends StepInputs {
  readonly scope: ActiveScope;
  /** Counts from 1. */
  readonly attempt: number;
  /** Iterations of a repeated step that have ended. */
  readonly iterations: number;
  /** Asks for the end of this attempt. */
  readonly signal: AbortSignal;
  /** To be called for every process that the step starts. */
  readonly onStarted: (process: ProcessIdentity) => void;
}

export type ExecuteStep = (context: RunContext, execution: StepExecution) => Promise<StepOutcome>;

export interface StepKindExecutor {
  /** Whether it starts processes on this host, whose number is bounded. */
  readonly usesProcess: boolean;
  readonly execute: ExecuteStep;
}

/** The executor of what a step does. */
export type FindExecutor = (step: Step) => StepKindExecutor;
