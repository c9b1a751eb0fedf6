import type { StepOutcome } from './step-ports';

/** A step that is at work, or that is looked at before it is. */
export interface Work {
  readonly controller: AbortController;
  readonly settled: Promise<void>;
  /** The turn of a repeated step: after a stop it may come to its own end. */
  readonly isTurn: boolean;
}

export interface StepEnding {
  readonly outcome: StepOutcome;
  readonly continues: boolean;
}

/** Between two attempts. */
export interface WaitingStep {
  readonly outcome: StepOutcome;
  readonly isRetry: boolean;
  readonly cancel: () => void;
}
