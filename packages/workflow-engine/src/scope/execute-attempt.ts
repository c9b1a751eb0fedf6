import { AppError, isAppError, toError } from '@weir/errors';
import type { RepeatPolicy, Step } from '@weir/workflow-spec';
import { isStopped } from '../concurrency/is-stopped';
import { nodeStatus, isRetriedEnd } from '../statuses/node-status';
import type { CheckResult, RetryLimits, StepChecks } from './step-checks';
import type { ProcessIdentity, StepContext, StepExecutor, StepOutcome } from './step-ports';
import { computeDelayMs } from './attempt-delay';

/** What the end of an attempt means for its step. */
export type Verdict =
  | { readonly kind: 'final'; readonly continues: boolean }
  | { readonly kind: 'retry' | 'repeat'; readonly afterMs: number };

export interface AttemptEnd {
  readonly outcome: StepOutcome;
  readonly verdict: Verdict;
}

/** How often the step has started. */
export interface AttemptCounts {
  /** Executions, this one included. */
  readonly attempt: number;
  readonly retries: number;
  /** Iterations of a repeated step that have ended. */
  readonly iterations: number;
}

export interface AttemptOptions {
  readonly executor: StepExecutor;
  readonly checks: StepChecks;
  readonly index: number;
  readonly counts: AttemptCounts;
  readonly signal: AbortSignal;
  /** Whether no more iterations may start. */
  readonly isStopping: () => boolean;
  readonly onStarted: (process: ProcessIdentity) => void;
}

/** The exit code of an attempt that timed out, which is never retried. */
export const timedOutExitCode = 124;
const maxErrorLength = 1024;
const final: Verdict = { kind: 'final', continues: false };

/** Executes one attempt of a step and decides what follows from its end. Never rejects. */
export async function executeAttempt(step: Step, options: AttemptOptions): Promise<AttemptEnd> {
  const { signal } = options;
  try {
    const counts = step.retryPolicy === undefined ? undefined : await options.checks.retryLimits(step, options);
    if (counts !== undefined && 'problem' in counts) {
      return await concludeStep(step, options, { status: 'failed', error: counts.problem });
    }
    const outcome = await execute(step, options);
    if (isStopped(signal)) return { outcome, verdict: final };
    return await decideNext(step, options, { outcome, counts });
  } catch (error) {
    return { outcome: toErrorOutcome(error, signal), verdict: final };
  }
}

async function execute(step: Step, options: AttemptOptions): Promise<StepOutcome> {
  const { executor, index, counts, signal, onStarted } = options;
  if (signal.aborted) return { status: 'aborted', error: 'run stopped' };
  const context: StepContext = { index, attempt: counts.attempt, iterations: counts.iterations, signal, onStarted };
  try {
    return await executor.execute(step, context);
  } catch (error) {
    return toErrorOutcome(error, signal);
  }
}

interface Ended {
  readonly outcome: StepOutcome;
  readonly counts: Exclude<RetryLimits, { readonly problem: string }> | undefined;
}

async function decideNext(step: Step, options: AttemptOptions, { outcome, counts }: Ended): Promise<AttemptEnd> {
  const { retries, iterations } = options.counts;
  const isTimedOut = outcome.exitCode === timedOutExitCode;
  if (counts !== undefined && !isTimedOut && retries < counts.limit && mayRetry(step, outcome)) {
    const afterMs = computeDelayMs({ ...step.retryPolicy, intervalSec: counts.intervalSec }, retries);
    return { outcome, verdict: { kind: 'retry', afterMs } };
  }
  const { repeatPolicy } = step;
  if (repeatPolicy === undefined || isTimedOut || options.isStopping()) return concludeStep(step, options, outcome);
  if (repeatPolicy.limit !== undefined && iterations + 1 >= repeatPolicy.limit)
    return concludeStep(step, options, outcome);
  const check = await checkRepeat(step, repeatPolicy, { options, outcome });
  if (isStopped(options.signal)) return { outcome, verdict: final };
  if (check.kind === 'failed') {
    return concludeStep(step, options, { ...outcome, status: 'failed', error: check.error });
  }
  const isRepeated = (check.kind === 'met') === (repeatPolicy.mode === 'while');
  if (!isRepeated) return concludeStep(step, options, outcome);
  return { outcome, verdict: { kind: 'repeat', afterMs: computeDelayMs(repeatPolicy, iterations) } };
}

function mayRetry({ retryPolicy }: Step, { status, exitCode }: StepOutcome): boolean {
  if (!isRetriedEnd(status)) return false;
  const codes = retryPolicy?.exitCodes;
  return codes === undefined || (exitCode !== undefined && codes.includes(exitCode));
}

interface EndedIteration {
  readonly options: AttemptOptions;
  readonly outcome: StepOutcome;
}

function checkRepeat(step: Step, policy: RepeatPolicy, { options, outcome }: EndedIteration): Promise<CheckResult> {
  const { condition, exitCodes } = policy;
  if (condition !== undefined) return options.checks.conditions(step, [condition], { ...options, outcome });
  const { exitCode, status } = outcome;
  const holds =
    exitCodes === undefined ? nodeStatus.isSuccessful(status) : exitCode !== undefined && exitCodes.includes(exitCode);
  return Promise.resolve(holds ? { kind: 'met' } : { kind: 'not_met', reason: 'exit code' });
}

/** The step has ended; `continue_on` decides whether its dependents execute in spite of a failure. */
async function concludeStep(step: Step, options: AttemptOptions, outcome: StepOutcome): Promise<AttemptEnd> {
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
    (outputs.length > 0 && (await options.checks.hasWritten(step, outputs, options)));
  const isMarked = continues && markSuccess;
  return {
    outcome: isMarked ? { ...rest, status: 'succeeded' } : { ...rest, ...(error === undefined ? {} : { error }) },
    verdict: { kind: 'final', continues },
  };
}

/** The outcome of a step whose execution threw. */
export function toErrorOutcome(caught: unknown, signal: AbortSignal): StepOutcome {
  const cause = toError(caught);
  if (signal.aborted) return { status: 'aborted', error: 'run stopped', cause };
  // The message of a foreign error is not meant for users and may hold the command.
  const text = isAppError(cause) ? cause.message : 'The step could not be executed.';
  return { status: 'failed', error: text.slice(0, maxErrorLength), cause };
}

export function getStep(steps: readonly Step[], index: number): Step {
  const step = steps[index];
  if (step === undefined) throw new AppError('internal', `The plan has no step ${index}.`);
  return step;
}
