import type { Timer } from '../../model/ports/timer';
import { timedOutExitCode } from '../loop/attempt-end';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { nodeStatus } from '../../model/statuses/node-status';

export interface AttemptTimeLimit {
  /** Aborted when the attempt is to end or its time is over. */
  readonly signal: AbortSignal;
  /** An attempt whose time is over failed with exit code 124, however its end is reported. */
  readonly applyTo: (outcome: StepOutcome) => StepOutcome;
  readonly cancel: () => void;
}

interface TimeLimitOptions {
  readonly timer: Timer;
  /** 0 and missing are no limit. */
  readonly timeoutSec?: number | undefined;
  readonly signal: AbortSignal;
}

/** Starts the time of an attempt. */
export function startTimeLimit({ timer, timeoutSec = 0, signal }: TimeLimitOptions): AttemptTimeLimit {
  if (timeoutSec <= 0) return { signal, applyTo: (outcome) => outcome, cancel: () => undefined };
  const limit = new AbortController();
  const cancel = timer.start(timeoutSec * 1000, () => limit.abort());
  return {
    signal: AbortSignal.any([signal, limit.signal]),
    applyTo: (outcome) => {
      // A stop is the better reason, and work that succeeded in spite of the timeout has succeeded.
      if (!limit.signal.aborted || signal.aborted || nodeStatus.isSuccessful(outcome.status)) return outcome;
      const error = `timed out after ${timeoutSec} seconds`;
      return { ...outcome, status: 'failed', exitCode: timedOutExitCode, error };
    },
    cancel,
  };
}
