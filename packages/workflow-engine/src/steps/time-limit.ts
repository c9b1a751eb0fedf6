import type { StepOutcome } from '../scope/step-ports';
import { nodeStatus } from '../statuses/node-status';
import { timedOutExitCode } from '../scope/execute-attempt';
import type { Timer } from '../ports/timer';

/**
 * Does the work within the limit of an attempt: when the time is over its signal is aborted, and the attempt failed
 * with exit code 124, however its end is reported. 0 and missing are no limit.
 */
export async function withinTimeLimit(
  {
    timer,
    timeoutSec = 0,
    signal,
  }: { readonly timer: Timer; readonly timeoutSec?: number | undefined; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  if (timeoutSec <= 0) return work(signal);
  const limit = new AbortController();
  const cancel = timer.start(timeoutSec * 1000, () => limit.abort());
  try {
    const outcome = await work(AbortSignal.any([signal, limit.signal]));
    // A stop is the better reason, and work that succeeded in spite of the timeout has succeeded.
    if (!limit.signal.aborted || signal.aborted || nodeStatus.isSuccessful(outcome.status)) return outcome;
    return { ...outcome, status: 'failed', exitCode: timedOutExitCode, error: `timed out after ${timeoutSec} seconds` };
  } finally {
    cancel();
  }
}
