import { isAppError, toError } from '@weir/foundation';
import type { RepeatPolicy, Step } from '@weir/workflow-spec';
import { isStopped } from '../../host/concurrency/is-stopped';
import { nodeStatus, isRetriedEnd } from '../../model/statuses/node-status';
import { computeDelayMs } from './attempt-delay';
import type { CheckResult } from '../../model/steps/check-result';
import type { RetryLimits, StepChecks } from './step-checks';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { ownerLost, restartsFreely } from './step-snapshot';

/** The consequence of the end of an attempt for its step. */
export type Verdict =
  | { readonly kind: 'final'; readonly continues: boolean }
  | { readonly kind: 'retry' | 'repeat'; readonly afterMs: number };

export interface AttemptEnd {
  readonly outcome: StepOutcome;
  readonly verdict: Verdict;
}

/** These count how often the step has started. */
export interface AttemptCounts {
  /** Executions, this one included. */
  readonly attempt: number;
  readonly retries: number;
  /** Iterations of a repeated step that have ended. */
  readonly iterations: number;
}

/** An attempt, as far as the verdict about its end depends on it. */
export interface Attempt {
  readonly checks: StepChecks;
  readonly index: number;
  readonly counts: AttemptCounts;
  readonly signal: AbortSignal;
  /** Whether no more iterations may start. */
  readonly isStopping: () => boolean;
}

/** The end of an attempt, and the limits of its retries that were valid when it started. */
export interface EndedAttempt {
  readonly outcome: StepOutcome;
  /** Missing for a step without a retry policy. */
  readonly limits: Exclude<RetryLimits, { readonly problem: string }> | undefined;
}

/** The exit code of an attempt that timed out, which is never retried. */
export const timedOutExitCode = 124;
const maxErrorLength = 1024;
const final: Verdict = { kind: 'final', continues: false };

/** Also a problem when the step has used up its retries before it starts. */
export async function readRetryLimits(step: Step, attempt: Attempt): Promise<RetryLimits | undefined> {
  if (step.retryPolicy === undefined) return undefined;
  const limits = await attempt.checks.retryLimits(step, attempt);
  if ('problem' in limits) return limits;
  // Only the loss of its owner makes a step use more retries than it has.
  const isUsedUp = attempt.counts.retries > limits.limit && !restartsFreely(step);
  return isUsedUp ? { problem: ownerLost } : limits;
}

/** Decides what follows from the end of an attempt. */
export async function decideNext(step: Step, attempt: Attempt, { outcome, limits }: EndedAttempt): Promise<AttemptEnd> {
  if (isStopped(attempt.signal)) return { outcome, verdict: final };
  const { retries, iterations } = attempt.counts;
  const isTimedOut = outcome.exitCode === timedOutExitCode;
  if (limits !== undefined && !isTimedOut && retries < limits.limit && mayRetry(step, outcome)) {
    const afterMs = computeDelayMs({ ...step.retryPolicy, intervalSec: limits.intervalSec }, retries);
    return { outcome, verdict: { kind: 'retry', afterMs } };
  }
  const { repeatPolicy } = step;
  if (repeatPolicy === undefined || isTimedOut || attempt.isStopping()) return concludeStep(step, attempt, outcome);
  const bounds = await attempt.checks.repeatLimits(step, repeatPolicy, { ...attempt, outcome });
  if ('problem' in bounds) return concludeStep(step, attempt, { ...outcome, status: 'failed', error: bounds.problem });
  if (bounds.limit !== undefined && iterations + 1 >= bounds.limit) return concludeStep(step, attempt, outcome);
  const check = await checkRepeat(step, repeatPolicy, { attempt, outcome });
  if (isStopped(attempt.signal)) return { outcome, verdict: final };
  if (check.kind === 'failed') {
    return concludeStep(step, attempt, { ...outcome, status: 'failed', error: check.error });
  }
  const isRepeated = (check.kind === 'met') === (repeatPolicy.mode === 'while');
  if (!isRepeated) return concludeStep(step, attempt, outcome);
  return {
    outcome,
    verdict: { kind: 'repeat', afterMs: computeDelayMs({ ...toGrowth(repeatPolicy), ...bounds }, iterations) },
  };
}

function toGrowth({ backoff }: RepeatPolicy) {
  return backoff === undefined ? {} : { backoff };
}

function mayRetry({ retryPolicy }: Step, { status, exitCode }: StepOutcome): boolean {
  if (!isRetriedEnd(status)) return false;
  const codes = retryPolicy?.exitCodes;
  return codes === undefined || (exitCode !== undefined && codes.includes(exitCode));
}

interface EndedIteration {
  readonly attempt: Attempt;
  readonly outcome: StepOutcome;
}

function checkRepeat(step: Step, policy: RepeatPolicy, { attempt, outcome }: EndedIteration): Promise<CheckResult> {
  const { condition, exitCodes } = policy;
  if (condition !== undefined) return attempt.checks.conditions(step, [condition], { ...attempt, outcome });
  const { exitCode, status } = outcome;
  const holds =
    exitCodes === undefined ? nodeStatus.isSuccessful(status) : exitCode !== undefined && exitCodes.includes(exitCode);
  return Promise.resolve(holds ? { kind: 'met' } : { kind: 'not_met', reason: 'exit code' });
}

/** The step has ended; `continue_on` decides whether its dependents execute in spite of a failure. */
export async function concludeStep(step: Step, attempt: Attempt, outcome: StepOutcome): Promise<AttemptEnd> {
  const { continueOn } = step;
  // The work is done and waits for its approval.
  if (step.approval !== undefined && nodeStatus.isSuccessful(outcome.status)) {
    return { outcome: { ...outcome, status: 'waiting' }, verdict: final };
  }
  if (continueOn === undefined || !nodeStatus.isFailed(outcome.status)) return { outcome, verdict: final };
  const { failure, exitCodes, outputs, markSuccess } = continueOn;
  const { error, ...rest } = outcome;
  const continues =
    failure ||
    (rest.exitCode !== undefined && exitCodes.includes(rest.exitCode)) ||
    (outputs.length > 0 && (await attempt.checks.hasWritten(step, outputs, attempt)));
  const isMarked = continues && markSuccess;
  return {
    outcome: isMarked ? { ...rest, status: 'succeeded' } : { ...rest, ...(error === undefined ? {} : { error }) },
    verdict: { kind: 'final', continues },
  };
}

/** The end of an attempt whose execution, or whose check, threw. */
export function toErrorEnd(caught: unknown, signal: AbortSignal): AttemptEnd {
  return { outcome: toErrorOutcome(caught, signal), verdict: final };
}

/** The outcome of a step whose execution threw. */
export function toErrorOutcome(caught: unknown, signal: AbortSignal): StepOutcome {
  const cause = toError(caught);
  if (signal.aborted) return { status: 'aborted', error: 'run stopped', cause };
  // The message of a foreign error is not meant for users and may hold the command.
  const text = isAppError(cause) ? cause.message : 'The step could not be executed.';
  return { status: 'failed', error: text.slice(0, maxErrorLength), cause };
}
