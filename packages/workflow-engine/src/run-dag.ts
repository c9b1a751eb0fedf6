import { AppError, isAppError } from '@weir/errors';
import type { Arrival } from './arrival';
import { createChangeList, type ChangeList } from './change-list';
import { createInbox, type Inbox } from './inbox';
import type { RunDagOptions, RunOutcome } from './run-dag-options';
import { createRunState, isGuarded, restoreRunState, type BlockedStep, type RunState } from './run-state';
import type { StopReason } from './run-tally';
import { isCutOff, mayRunAgain } from './standing';
import { isAbortedNode, isSuccessfulNode, isWaitingNode } from './statuses';
import { outcomeOfError, runAttempt, stepAt, type AttemptEnd } from './step-attempt';
import type { CheckResult } from './step-checks';
import type { StepOutcome } from './step-ports';
import type { StepEnding, WaitingStep, Work } from './step-work';
import { createTriesList, type TriesList } from './tries-list';

const ownerLost = 'owner lost';
const stopTexts: Readonly<Record<StopReason, string>> = { stopped: 'run stopped', timed_out: 'run timed out' };

/**
 * Runs a planned DAG to its end. An attempt of a step is recorded as starting before it starts, and its end is recorded
 * before its dependents start; everything that happened in one turn goes to the recorder in one call. When the recorder
 * fails, running steps are aborted and waited for, and its error is thrown: no step ever runs unrecorded.
 */
export async function runDag(options: RunDagOptions): Promise<RunOutcome> {
  const { signal, leave } = options;
  const run = new DagRun(options);
  const stop = () => run.requestStop('stopped');
  const goAway = () => run.leave();
  if (signal.aborted) stop();
  if (leave?.aborted === true) goAway();
  signal.addEventListener('abort', stop, { once: true });
  leave?.addEventListener('abort', goAway, { once: true });
  try {
    return await run.toEnd();
  } finally {
    signal.removeEventListener('abort', stop);
    leave?.removeEventListener('abort', goAway);
  }
}

/** Whether a run was left to its next owner. */
export function isRunLeft(error: unknown): boolean {
  return isAppError(error) && error.reason === 'run_left';
}

class DagRun {
  readonly #options: RunDagOptions;
  readonly #state: RunState;
  readonly #inbox: Inbox<Arrival> = createInbox<Arrival>();
  readonly #running = new Map<number, Work>();
  readonly #tries: TriesList;
  readonly #waiting = new Map<number, WaitingStep>();
  readonly #timers = new Set<() => void>();
  readonly #changes: ChangeList;
  #starting: number[] = [];
  /** Steps that were at work when their owner died, and are not carried out again. */
  readonly #lost: readonly number[];
  readonly #blockedBefore: readonly BlockedStep[];
  #stopReason: StopReason | undefined;
  #isLeaving = false;
  #isPacing = false;

  constructor(options: RunDagOptions) {
    const { plan, maxActiveSteps, standings } = options;
    this.#options = options;
    this.#changes = createChangeList(plan);
    this.#tries = createTriesList(plan, standings);
    if (standings === undefined) {
      this.#state = createRunState(plan, maxActiveSteps);
      this.#lost = [];
      this.#blockedBefore = [];
      return;
    }
    const { state, blocked } = restoreRunState(plan, maxActiveSteps, standings);
    this.#state = state;
    this.#blockedBefore = blocked;
    const cutOff = [...standings.entries()].filter(([, standing]) => isCutOff(standing));
    this.#lost = cutOff.flatMap(([index, standing]) =>
      mayRunAgain(stepAt(plan.steps, index), standing) ? [] : [index],
    );
  }

  leave(): void {
    this.#isLeaving = true;
    for (const { controller } of this.#running.values()) controller.abort();
    this.#inbox.put({ kind: 'leave' });
  }

  requestStop(reason: StopReason): void {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    const { maxCleanUpTimeSec = 5 } = this.#options;
    for (const { controller, isTurn } of this.#running.values()) {
      if (!isTurn || reason === 'timed_out') controller.abort();
      else this.#after(maxCleanUpTimeSec, () => controller.abort());
    }
    this.#inbox.put({ kind: 'stop', reason });
  }

  async toEnd(): Promise<RunOutcome> {
    const { clock, timeoutSec = 0 } = this.#options;
    const startedAt = clock.now();
    if (timeoutSec > 0) this.#after(timeoutSec, () => this.requestStop('timed_out'));
    try {
      this.#takeUp();
      await this.#turn([]);
      while (!this.#state.isFinished()) await this.#turn(await this.#inbox.takeAll());
    } catch (error) {
      for (const { controller } of this.#running.values()) controller.abort();
      await Promise.all([...this.#running.values()].map(({ settled }) => settled));
      throw error;
    } finally {
      for (const cancel of this.#timers) cancel();
      for (const { cancel } of this.#waiting.values()) cancel();
    }
    const waiting = this.#state.waitingSteps();
    return { status: this.#state.runOutcome(), startedAt, endedAt: clock.now(), waiting };
  }

  /** What follows from how the steps stand. */
  #takeUp(): void {
    const at = this.#options.clock.now();
    this.#changes.blocked(this.#blockedBefore, at);
    for (const index of this.#lost) {
      const continues = stepAt(this.#options.plan.steps, index).continueOn?.failure ?? false;
      this.#state.begin(index);
      const isStopped = this.#stopReason !== undefined;
      const outcome: StepOutcome = isStopped ? { status: 'aborted' } : { status: 'failed', error: ownerLost };
      this.#endStep(index, at, { outcome, continues: continues && !isStopped });
    }
    // What an earlier owner was asked for comes before anything is begun.
    if (this.#stopReason !== undefined) this.#takeStop();
  }

  /** One turn of the scheduler: take in what happened, decide, record, and only then start. */
  async #turn(arrivals: readonly Arrival[]): Promise<void> {
    if (this.#isLeaving)
      throw new AppError('unavailable', 'The run is left to its next owner.', { reason: 'run_left' });
    for (const arrival of arrivals) this.#takeIn(arrival);
    const ready = this.#stopReason === undefined ? this.#takeReady() : [];
    const guarded = ready.filter((index) => isGuarded(this.#options.plan, index));
    const starting = [...this.#starting, ...ready.filter((index) => !isGuarded(this.#options.plan, index))];
    this.#starting = [];
    for (const index of starting) this.#changes.starting(index, this.#tries.next(index), this.#options.clock.now());
    await this.#record();
    for (const index of guarded) this.#carryOut(index, (signal) => this.#check(index, signal));
    for (const index of starting) this.#carryOut(index, (signal) => this.#attempt(index, signal));
  }

  #takeReady(): readonly number[] {
    const { delaySec = 0 } = this.#options;
    if (delaySec <= 0) return this.#state.takeReady();
    const ready = this.#isPacing ? [] : this.#state.takeReady(1);
    if (ready.length > 0) {
      this.#isPacing = true;
      this.#after(delaySec, () => this.#inbox.put({ kind: 'paced' }));
    }
    return ready;
  }

  #takeIn(arrival: Arrival): void {
    switch (arrival.kind) {
      case 'checked':
        this.#running.delete(arrival.index);
        this.#takeCheck(arrival.index, arrival.result);
        break;
      case 'process':
        this.#changes.processStarted(arrival.index, this.#tries.of(arrival.index).attempt, arrival.process);
        break;
      case 'end':
        this.#running.delete(arrival.index);
        this.#takeEnd(arrival.index, arrival.at, arrival.end);
        break;
      case 'due':
        this.#takeDue(arrival.index);
        break;
      case 'paced':
        this.#isPacing = false;
        break;
      case 'stop':
        this.#takeStop();
        break;
      case 'leave':
        break;
    }
  }

  #takeCheck(index: number, result: CheckResult): void {
    const at = this.#options.clock.now();
    const notStarted = (status: 'aborted' | 'skipped' | 'failed', error: string): void => {
      this.#changes.notStarted(index, { at, status, error });
      const continues = stepAt(this.#options.plan.steps, index).continueOn?.failure;
      this.#changes.blocked(this.#state.finish(index, status, continues), at);
    };
    if (this.#stopReason !== undefined) notStarted('aborted', stopTexts[this.#stopReason]);
    else if (result.kind === 'failed') notStarted('failed', result.error);
    else if (result.kind === 'not_met') notStarted('skipped', result.reason);
    else {
      this.#state.begin(index);
      this.#starting.push(index);
    }
  }

  #takeEnd(index: number, at: Date, { outcome, verdict }: AttemptEnd): void {
    if (verdict.kind === 'final' && isWaitingNode(outcome.status)) {
      this.#waitForPerson(index, at, outcome);
      return;
    }
    if (verdict.kind === 'final' || this.#stopReason !== undefined) {
      this.#endStep(index, at, { outcome, continues: verdict.kind === 'final' && verdict.continues });
      return;
    }
    const { afterMs } = verdict;
    const isRetry = verdict.kind === 'retry';
    const { attempt, retries, turns } = this.#tries.of(index);
    const ended = { attempt, at, outcome, afterMs };
    if (isRetry) {
      this.#tries.set(index, { attempt, retries: retries + 1, turns });
      this.#state.retryLater(index);
      this.#changes.retrying(index, ended);
    } else {
      this.#tries.set(index, { attempt, retries, turns: turns + 1 });
      this.#changes.turnEnded(index, { ...ended, doneCount: turns + 1 });
    }
    const cancel = this.#options.timer.start(afterMs, () => this.#inbox.put({ kind: 'due', index }));
    this.#waiting.set(index, { outcome, isRetry, cancel });
  }

  #waitForPerson(index: number, at: Date, outcome: StepOutcome): void {
    this.#changes.waiting(index, { attempt: this.#tries.of(index).attempt, at, outcome });
    this.#state.wait(index);
    // Nobody is asked any more.
    if (this.#stopReason !== undefined) this.#abortOpen(this.#stopReason);
  }

  #endStep(index: number, at: Date, { outcome, continues }: StepEnding): void {
    const { attempt, turns } = this.#tries.of(index);
    const isRepeated = this.#options.plan.steps[index]?.repeatPolicy !== undefined;
    // The turn that a waiting step would go on from is counted already.
    const done = isRepeated ? { doneCount: turns + Number(!this.#waiting.has(index)) } : {};
    const reason = this.#stopReason;
    const isCutOff = reason !== undefined && isAbortedNode(outcome.status);
    const told = isCutOff ? { ...outcome, error: stopTexts[reason] } : outcome;
    this.#changes.ended(index, { attempt, at, outcome: told, continues, ...done });
    if (isSuccessfulNode(outcome.status)) this.#skipOthers(outcome.skips ?? [], at);
    // A step that waits is not ended, so what is left is an end.
    const end = isWaitingNode(outcome.status) ? 'aborted' : outcome.status;
    this.#changes.blocked(this.#state.finish(index, end, continues), at);
  }

  /** Before the router counts as ended: otherwise they would become ready. */
  #skipOthers(names: readonly string[], at: Date): void {
    if (names.length === 0) return;
    const { indexOf } = this.#options.plan;
    this.#changes.blocked(this.#state.skip(names.flatMap((name) => indexOf.get(name) ?? [])), at);
  }

  #takeDue(index: number): void {
    const waiting = this.#waiting.get(index);
    if (waiting === undefined) return;
    this.#waiting.delete(index);
    if (waiting.isRetry) this.#state.retryNow(index);
    this.#starting.push(index);
  }

  #takeStop(): void {
    const at = this.#options.clock.now();
    const reason = this.#stopReason ?? 'stopped';
    for (const [index, { outcome, isRetry, cancel }] of this.#waiting) {
      cancel();
      // A repeated step keeps the end of its last turn.
      const end: StepOutcome = isRetry ? { ...outcome, status: 'aborted' } : outcome;
      this.#endStep(index, at, { outcome: end, continues: false });
    }
    this.#waiting.clear();
    this.#abortOpen(reason);
  }

  #abortOpen(reason: StopReason): void {
    const at = this.#options.clock.now();
    for (const index of this.#state.stop(reason)) {
      this.#changes.notStarted(index, { at, status: 'aborted', error: stopTexts[reason] });
    }
  }

  async #record(): Promise<void> {
    const changes = this.#changes.take();
    if (changes.length === 0 || this.#isLeaving) return;
    const end = this.#state.isFinished() ? this.#state.runOutcome() : undefined;
    await this.#options.recorder.stepsChanged(changes, end);
  }

  /** `work` never rejects, and its arrival is what the run waits for. */
  #carryOut(index: number, work: (signal: AbortSignal) => Promise<Arrival>): void {
    const controller = new AbortController();
    // The stop came while the start was being recorded: an aborted signal starts nothing.
    if (this.#stopReason !== undefined || this.#isLeaving) controller.abort();
    const settled = work(controller.signal).then((arrival) => this.#inbox.put(arrival));
    const isTurn = this.#tries.has(index) && this.#options.plan.steps[index]?.repeatPolicy !== undefined;
    this.#running.set(index, { controller, settled, isTurn });
  }

  async #check(index: number, signal: AbortSignal): Promise<Arrival> {
    const { checks, plan } = this.#options;
    try {
      const step = stepAt(plan.steps, index);
      const result = await checks.conditions(step, step.preconditions ?? [], { index, signal });
      return { kind: 'checked', index, result };
    } catch (error) {
      const text = outcomeOfError(error, signal).error ?? '';
      return { kind: 'checked', index, result: { kind: 'failed', error: text } };
    }
  }

  async #attempt(index: number, signal: AbortSignal): Promise<Arrival> {
    const { executor, checks, plan, clock } = this.#options;
    let ended = false;
    const end = await runAttempt(stepAt(plan.steps, index), {
      executor,
      checks,
      index,
      tries: this.#tries.of(index),
      signal,
      isStopping: () => this.#stopReason !== undefined,
      onStarted: (process) => {
        // A late call must not be recorded after the step's end.
        if (!ended) this.#inbox.put({ kind: 'process', index, process });
      },
    });
    ended = true;
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
