import { createAttemptCounter, type AttemptCounter } from './attempt-counter';
import { createChangeList, type ChangeList } from './change-list';
import { getStep } from '../../model/plan/plan';
import type { AttemptCounts, AttemptEnd } from './attempt-end';
import {
  createScopeState,
  hasPreconditions,
  restoreScopeState,
  type BlockedStep,
  type ScopeState,
} from './scope-state';
import type { StopReason } from './status-tally';
import type { RunStatus } from '../../model/statuses/run-status';
import { nodeStatus } from '../../model/statuses/node-status';
import type { CheckResult } from '../../model/steps/check-result';
import type { StepLoopOptions } from './step-loop-options';
import type { ProcessIdentity, StepOutcome } from '../../model/steps/step-outcome';
import type { StepChange } from '../../model/steps/step-change';
import { isInterrupted, mayRestart, ownerLost } from './step-snapshot';

const stopTexts: Readonly<Record<StopReason, string>> = { stopped: 'run stopped', timed_out: 'run timed out' };

/** A step between two attempts. */
interface DelayedStep {
  readonly outcome: StepOutcome;
  readonly isRetry: boolean;
  readonly cancel: () => void;
}

interface StepEnding {
  readonly outcome: StepOutcome;
  readonly continues: boolean;
}

/** Applies what happens to the steps of a scope to their state, and collects the changes to record. Starts nothing. */
export class StepProgress {
  readonly #options: Pick<StepLoopOptions, 'plan' | 'clock' | 'timer'>;
  readonly #onDue: (index: number) => void;
  readonly #state: ScopeState;
  readonly #attempts: AttemptCounter;
  readonly #changes: ChangeList;
  readonly #delayed = new Map<number, DelayedStep>();
  /** Steps whose attempt was interrupted by the loss of their owner, and that are not restarted. */
  readonly #lost: readonly number[];
  readonly #blockedBefore: readonly BlockedStep[];
  #starting: number[] = [];
  #stopReason: StopReason | undefined;

  /** `onDue` is called when the delay before the next attempt of a step is over. */
  constructor(options: StepLoopOptions, onDue: (index: number) => void) {
    const { plan, maxActiveSteps, snapshots } = options;
    this.#options = options;
    this.#onDue = onDue;
    this.#changes = createChangeList(plan);
    this.#attempts = createAttemptCounter(plan, snapshots);
    if (snapshots === undefined) {
      this.#state = createScopeState(plan, maxActiveSteps);
      this.#lost = [];
      this.#blockedBefore = [];
      return;
    }
    const { state, blocked } = restoreScopeState(plan, maxActiveSteps, snapshots);
    this.#state = state;
    this.#blockedBefore = blocked;
    this.#lost = [...snapshots.entries()].flatMap(([index, snapshot]) =>
      isInterrupted(snapshot) && !mayRestart(getStep(plan.steps, index), snapshot) ? [index] : [],
    );
  }

  /** Settles what follows from the snapshots before anything starts. */
  resume(): void {
    const at = this.#options.clock.now();
    this.#changes.blocked(this.#blockedBefore, at);
    for (const index of this.#lost) {
      const continues = getStep(this.#options.plan.steps, index).continueOn?.failure ?? false;
      this.#state.start(index);
      const isStopped = this.isStopping();
      const outcome: StepOutcome = isStopped ? { status: 'aborted' } : { status: 'failed', error: ownerLost };
      this.#endStep(index, at, { outcome, continues: continues && !isStopped });
    }
    // A stop that was requested of an earlier owner is applied before anything starts.
    if (this.isStopping()) this.applyStop();
  }

  /** Returns false when a stop was requested before: the first reason stays. */
  requestStop(reason: StopReason): boolean {
    if (this.#stopReason !== undefined) return false;
    this.#stopReason = reason;
    return true;
  }

  isStopping(): boolean {
    return this.#stopReason !== undefined;
  }

  isFinished(): boolean {
    return this.#state.isFinished();
  }

  isIteration(index: number): boolean {
    return this.#attempts.has(index) && this.#options.plan.steps[index]?.repeatPolicy !== undefined;
  }

  status(): RunStatus {
    return this.#state.runStatus();
  }

  waitingSteps(): readonly number[] {
    return this.#state.waitingSteps();
  }

  attemptCounts(index: number): AttemptCounts {
    return this.#attempts.get(index);
  }

  drainChanges(): readonly StepChange[] {
    return this.#changes.drain();
  }

  cancelDelays(): void {
    for (const { cancel } of this.#delayed.values()) cancel();
  }

  takeReady(atMost?: number): readonly number[] {
    return this.isStopping() ? [] : this.#state.takeReady(atMost);
  }

  /** Counts the attempts that start now; steps with preconditions are to be checked first. */
  startSteps(ready: readonly number[]): { readonly checks: readonly number[]; readonly attempts: readonly number[] } {
    const { plan, clock } = this.#options;
    const checks = ready.filter((index) => hasPreconditions(plan, index));
    const attempts = [...this.#starting, ...ready.filter((index) => !hasPreconditions(plan, index))];
    this.#starting = [];
    for (const index of attempts) this.#changes.starting(index, this.#attempts.increment(index), clock.now());
    return { checks, attempts };
  }

  applyCheck(index: number, result: CheckResult): void {
    const at = this.#options.clock.now();
    const notStarted = (status: 'aborted' | 'skipped' | 'failed', error: string): void => {
      this.#changes.notStarted(index, { at, status, error });
      const continues = getStep(this.#options.plan.steps, index).continueOn?.failure;
      this.#changes.blocked(this.#state.finish(index, status, continues), at);
    };
    if (this.#stopReason !== undefined) notStarted('aborted', stopTexts[this.#stopReason]);
    else if (result.kind === 'failed') notStarted('failed', result.error);
    else if (result.kind === 'not_met') notStarted('skipped', result.reason);
    else {
      this.#state.start(index);
      this.#starting.push(index);
    }
  }

  applyProcess(index: number, process: ProcessIdentity): void {
    this.#changes.processStarted(index, this.#attempts.get(index).attempt, process);
  }

  applyAttemptEnd(index: number, at: Date, { outcome, verdict }: AttemptEnd): void {
    if (verdict.kind === 'final' && nodeStatus.isWaiting(outcome.status)) {
      this.#waitForPerson(index, at, outcome);
      return;
    }
    if (verdict.kind === 'final' || this.isStopping()) {
      this.#endStep(index, at, { outcome, continues: verdict.kind === 'final' && verdict.continues });
      return;
    }
    const { afterMs } = verdict;
    const isRetry = verdict.kind === 'retry';
    const { attempt, retries, iterations } = this.#attempts.get(index);
    const ended = { attempt, at, outcome, afterMs };
    if (isRetry) {
      this.#attempts.set(index, { attempt, retries: retries + 1, iterations });
      this.#state.retryLater(index);
      this.#changes.retrying(index, ended);
    } else {
      this.#attempts.set(index, { attempt, retries, iterations: iterations + 1 });
      this.#changes.iterationEnded(index, { ...ended, doneCount: iterations + 1 });
    }
    const cancel = this.#options.timer.start(afterMs, () => this.#onDue(index));
    this.#delayed.set(index, { outcome, isRetry, cancel });
  }

  applyDue(index: number): void {
    const delayed = this.#delayed.get(index);
    if (delayed === undefined) return;
    this.#delayed.delete(index);
    if (delayed.isRetry) this.#state.retryNow(index);
    this.#starting.push(index);
  }

  applyStop(): void {
    const at = this.#options.clock.now();
    for (const [index, { outcome, isRetry, cancel }] of this.#delayed) {
      cancel();
      // A repeated step keeps the end of its last iteration.
      const end: StepOutcome = isRetry ? { ...outcome, status: 'aborted' } : outcome;
      this.#endStep(index, at, { outcome: end, continues: false });
    }
    this.#delayed.clear();
    this.#abortPending(this.#stopReason ?? 'stopped');
  }

  #waitForPerson(index: number, at: Date, outcome: StepOutcome): void {
    this.#changes.waiting(index, { attempt: this.#attempts.get(index).attempt, at, outcome });
    this.#state.wait(index);
    // A stopped run does not wait for people.
    if (this.#stopReason !== undefined) this.#abortPending(this.#stopReason);
  }

  #endStep(index: number, at: Date, { outcome, continues }: StepEnding): void {
    const { attempt, iterations } = this.#attempts.get(index);
    const isRepeated = this.#options.plan.steps[index]?.repeatPolicy !== undefined;
    // The iteration before a delay is counted already.
    const doneCount = isRepeated ? { doneCount: iterations + Number(!this.#delayed.has(index)) } : {};
    const reason = this.#stopReason;
    const isCutShort = reason !== undefined && nodeStatus.isAborted(outcome.status);
    const recorded = isCutShort ? { ...outcome, error: stopTexts[reason] } : outcome;
    this.#changes.ended(index, { attempt, at, outcome: recorded, continues, ...doneCount });
    if (nodeStatus.isSuccessful(outcome.status)) this.#skipOthers(outcome.skips ?? [], at);
    // A step that waits has not ended, so any other status is an end.
    const end = nodeStatus.isWaiting(outcome.status) ? 'aborted' : outcome.status;
    this.#changes.blocked(this.#state.finish(index, end, continues), at);
  }

  /** Before the router counts as ended: otherwise they would become ready. */
  #skipOthers(names: readonly string[], at: Date): void {
    if (names.length === 0) return;
    const { indexOf } = this.#options.plan;
    this.#changes.blocked(this.#state.skip(names.flatMap((name) => indexOf.get(name) ?? [])), at);
  }

  #abortPending(reason: StopReason): void {
    const at = this.#options.clock.now();
    for (const index of this.#state.stop(reason)) {
      this.#changes.notStarted(index, { at, status: 'aborted', error: stopTexts[reason] });
    }
  }
}
