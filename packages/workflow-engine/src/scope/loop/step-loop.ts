import { AppError } from '@weir/foundation';
import { ActiveSteps } from './active-steps';
import type { Step } from '@weir/workflow-spec';
import { getStep } from '../../model/plan/plan';
import { concludeStep, decideNext, toErrorEnd, toErrorOutcome, type Attempt, type AttemptEnd } from './attempt-end';
import { createInbox, type Inbox } from './inbox';
import type { ScopeEvent } from './scope-event';
import type { StopReason } from './status-tally';
import type { ScopeOutcome, StepLoopOptions } from './step-loop-options';
import type { RetryLimits } from './step-checks';
import type { ProcessIdentity, StepOutcome } from '../../model/steps/step-outcome';
import { StepProgress } from './step-progress';
import { ownerLost, restartsFreely } from './step-snapshot';

/**
 * Executes planned steps until all have ended. An attempt of a step is recorded as starting before it starts, and its
 * end is recorded before its dependents start; everything that happened in one tick goes to the recorder in one call.
 * When the recorder fails, running steps are aborted and awaited, and its error is thrown: no step ever runs unrecorded.
 */
export async function executeSteps(options: StepLoopOptions): Promise<ScopeOutcome> {
  const { signal, release } = options;
  const loop = new StepLoop(options);
  const onStop = () => loop.requestStop('stopped');
  const onRelease = () => loop.release();
  if (signal.aborted) onStop();
  if (release?.aborted === true) onRelease();
  signal.addEventListener('abort', onStop, { once: true });
  release?.addEventListener('abort', onRelease, { once: true });
  try {
    return await loop.run();
  } finally {
    signal.removeEventListener('abort', onStop);
    release?.removeEventListener('abort', onRelease);
  }
}

/** Waits for events, applies them, records what changed, and only then starts the steps that may start. */
class StepLoop {
  readonly #options: StepLoopOptions;
  readonly #inbox: Inbox<ScopeEvent> = createInbox<ScopeEvent>();
  readonly #active = new ActiveSteps();
  readonly #timers = new Set<() => void>();
  readonly #progress: StepProgress;
  #isReleased = false;
  #isPacing = false;

  constructor(options: StepLoopOptions) {
    this.#options = options;
    this.#progress = new StepProgress(options, (index) => this.#inbox.put({ kind: 'due', index }));
  }

  release(): void {
    this.#isReleased = true;
    this.#active.abortAll();
    this.#inbox.put({ kind: 'release' });
  }

  requestStop(reason: StopReason): void {
    if (!this.#progress.requestStop(reason)) return;
    const { maxCleanUpTimeSec = 5 } = this.#options;
    this.#active.stop(reason, (abort) => this.#after(maxCleanUpTimeSec, abort));
    this.#inbox.put({ kind: 'stop' });
  }

  async run(): Promise<ScopeOutcome> {
    const { clock, timeoutSec = 0 } = this.#options;
    const startedAt = clock.now();
    if (timeoutSec > 0) this.#after(timeoutSec, () => this.requestStop('timed_out'));
    try {
      this.#progress.resume();
      await this.#tick([]);
      while (!this.#progress.isFinished()) await this.#tick(await this.#inbox.drain());
    } catch (error) {
      this.#active.abortAll();
      await this.#active.settled();
      throw error;
    } finally {
      for (const cancel of this.#timers) cancel();
      this.#progress.cancelDelays();
    }
    const waiting = this.#progress.waitingSteps();
    return { status: this.#progress.status(), startedAt, endedAt: clock.now(), waiting };
  }

  async #tick(events: readonly ScopeEvent[]): Promise<void> {
    if (this.#isReleased) throw runReleased();
    for (const event of events) this.#apply(event);
    const { checks, attempts } = this.#progress.startSteps(this.#takeReady());
    await this.#record();
    for (const index of checks) this.#start(index, (signal) => this.#check(index, signal));
    for (const index of attempts) this.#start(index, (signal) => this.#attempt(index, signal));
  }

  #takeReady(): readonly number[] {
    const { delaySec = 0 } = this.#options;
    if (delaySec <= 0) return this.#progress.takeReady();
    const ready = this.#isPacing ? [] : this.#progress.takeReady(1);
    if (ready.length > 0) {
      this.#isPacing = true;
      this.#after(delaySec, () => this.#inbox.put({ kind: 'paced' }));
    }
    return ready;
  }

  #apply(event: ScopeEvent): void {
    switch (event.kind) {
      case 'checked':
        this.#active.remove(event.index);
        this.#progress.applyCheck(event.index, event.result);
        break;
      case 'process':
        this.#progress.applyProcess(event.index, event.process);
        break;
      case 'end':
        this.#active.remove(event.index);
        this.#progress.applyAttemptEnd(event.index, event.at, event.end);
        break;
      case 'due':
        this.#progress.applyDue(event.index);
        break;
      case 'paced':
        this.#isPacing = false;
        break;
      case 'stop':
        this.#progress.applyStop();
        break;
      case 'release':
        break;
    }
  }

  async #record(): Promise<void> {
    const changes = this.#progress.drainChanges();
    if (changes.length === 0 || this.#isReleased) return;
    const end = this.#progress.isFinished() ? this.#progress.status() : undefined;
    await this.#options.recorder.stepsChanged(changes, end);
  }

  /** `work` never rejects; the loop waits for the event that it resolves to. */
  #start(index: number, work: (signal: AbortSignal) => Promise<ScopeEvent>): void {
    const controller = new AbortController();
    // A stop may have come while the start was being recorded: an aborted signal starts nothing.
    if (this.#progress.isStopping() || this.#isReleased) controller.abort();
    const settled = work(controller.signal).then((event) => this.#inbox.put(event));
    this.#active.add(index, { controller, settled, isIteration: this.#progress.isIteration(index) });
  }

  async #check(index: number, signal: AbortSignal): Promise<ScopeEvent> {
    const { checks, plan } = this.#options;
    try {
      const step = getStep(plan.steps, index);
      const result = await checks.conditions(step, step.preconditions ?? [], { index, signal });
      return { kind: 'checked', index, result };
    } catch (error) {
      const text = toErrorOutcome(error, signal).error ?? '';
      return { kind: 'checked', index, result: { kind: 'failed', error: text } };
    }
  }

  async #attempt(index: number, signal: AbortSignal): Promise<ScopeEvent> {
    const { executor, checks, plan, clock } = this.#options;
    const step = getStep(plan.steps, index);
    const counts = this.#progress.attemptCounts(index);
    const { attempt: number, iterations } = counts;
    const attempt = { checks, index, counts, signal, isStopping: () => this.#progress.isStopping() };
    let hasEnded = false;
    const onStarted = (process: ProcessIdentity): void => {
      // A late call must not be recorded after the step's end.
      if (!hasEnded) this.#inbox.put({ kind: 'process', index, process });
    };
    let end: AttemptEnd;
    try {
      const limits = await readRetryLimits(step, attempt);
      if (limits !== undefined && 'problem' in limits) {
        end = await concludeStep(step, attempt, { status: 'failed', error: limits.problem });
      } else {
        let outcome: StepOutcome = { status: 'aborted', error: 'run stopped' };
        try {
          if (!signal.aborted) {
            outcome = await executor.execute(step, { index, attempt: number, iterations, signal, onStarted });
          }
        } catch (error) {
          outcome = toErrorOutcome(error, signal);
        }
        end = await decideNext(step, attempt, { outcome, limits });
      }
    } catch (error) {
      end = toErrorEnd(error, signal);
    }
    hasEnded = true;
    return { kind: 'end', index, at: clock.now(), end };
  }

  #after(seconds: number, act: () => void): void {
    const cancel = this.#options.timer.start(seconds * 1000, () => {
      this.#timers.delete(cancel);
      act();
    });
    this.#timers.add(cancel);
  }
}

function runReleased(): AppError {
  return new AppError('unavailable', 'The run is released for its next owner.', { reason: 'run_released' });
}

/** Also a problem when the step has used up its retries before it starts. */
async function readRetryLimits(step: Step, attempt: Attempt): Promise<RetryLimits | undefined> {
  if (step.retryPolicy === undefined) return undefined;
  const limits = await attempt.checks.retryLimits(step, attempt);
  if ('problem' in limits) return limits;
  // Only the loss of its owner makes a step use more retries than it has.
  const isUsedUp = attempt.counts.retries > limits.limit && !restartsFreely(step);
  return isUsedUp ? { problem: ownerLost } : limits;
}
