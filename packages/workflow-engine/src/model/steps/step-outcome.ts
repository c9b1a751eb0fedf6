import type { BuildDecision } from '../run-model/build-decision';
import type { ModelUse } from '../run-model/model-use';
import type { StepOutputs } from '../run-model/step-outputs';
import type { StepEnd } from '../statuses/node-status';

/** A process of this host that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, as the system reports it. Opaque: only to be compared. */
  readonly startedAt: string;
}

export interface StepOutcome {
  readonly status: StepEnd;
  readonly exitCode?: number;
  /** Name of the signal that ended the process: `SIGKILL`. */
  readonly signal?: string;
  /** A short text for users about why the step did not succeed. Never its command or script. */
  readonly error?: string;
  /** The outputs that the attempt published; missing for a step that publishes nothing. */
  readonly outputs?: StepOutputs;
  /** The way in which the step of a build came to its files. */
  readonly build?: BuildDecision;
  /** The models that the attempt has asked; missing where it has asked none. */
  readonly modelUse?: readonly ModelUse[];
  /** Names of steps that depend on this one and are skipped after all, because another route was chosen. */
  readonly skips?: readonly string[];
  /** The caught error, for the log. It is never stored and never shown. */
  readonly cause?: unknown;
}
