import { createChangeList, type ChangeList } from './change-list';
import type { Clock } from './clock';
import { createInbox, type Inbox } from './inbox';
import type { Plan } from './plan';
import { createRunState, isGuarded, type RunState } from './run-state';
import type { StopReason } from './run-tally';
import { isAbortedNode, type RunStatus } from './statuses';
import { outcomeOfError, runAttempt, stepAt, type AttemptEnd, type Tries } from './step-attempt';
import type { CheckResult, StepChecks } from './step-checks';
import type { ProcessIdentity, RunRecorder, StepExecutor, StepOutcome } from './step-ports';
import type { Timer } from './timer';

export interface RunDagOptions {
  readonly plan: Plan;
  readonly executor: StepExecutor;
  readonly checks: StepChecks;
  readonly recorder: RunRecorder;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Stops the run: running steps are asked to end, the others become aborted. */
  readonly signal: AbortSignal;
  /** Steps that may run at the same time; 0 is no limit. */
  readonly maxActiveSteps: number;
  /** Seconds between the starts of two steps; 0 when missing. */
  readonly delaySec?: number | undefined;
  /** Seconds for all steps together; 0 and missing are no limit. */
  readonly timeoutSec?: number | undefined;
  /** Seconds that the turn of a repeated step may go on after a stop; 5 when missing. */
  readonly maxCleanUpTimeSec?: number | undefined;
}

export interface RunOutcome {
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

type Arrival =
  | { readonly kind: 'checked'; readonly index: number; readonly result: CheckResult }
  | { readonly kind: 'process'; readonly index: number; readonly process: ProcessIdentity }
  | { readonly kind: 'end'; readonly index: number; readonly at: Date; readonly end: AttemptEnd }
  | { readonly kind: 'due'; readonly index: number }
  | { readonly kind: 'paced' }
  | { readonly kind: 'stop'; readonly reason: StopReason };

interface Work {
  readonly controller: AbortController;
  readonly settled: Promise<void>;
  /** The turn of a repeated step: after a stop it may come to its own end. */
  readonly isTurn: boolean;
}

interface StepEnding {
  readonly outcome: StepOutcome;
  readonly continues: boolean;
}

/** Between two attempts. */
interface WaitingStep {
  readonly outcome: StepOutcome;
  readonly isRetry: boolean;
  readonly cancel: () => void;
}

const stopTexts: Readonly<Record<StopReason, string>> = { stopped: 'run stopped', timed_out: 'run timed out' };
const firstTry: Tries = { attempt: 0, retries: 0, turns: 0 };

/**
 * Runs a planned DAG to its end. An attempt of a step is recorded as starting before it starts, and its end is recorded
 * before its dependents start; everything that happened in one turn goes to the recorder in one call. When the recorder
 * fails, running steps are aborted and waited for, and its error is thrown: no step ever runs unrecorded.
 */
export async function runDag(options: RunDagOptions): Promise<RunOutcome> {
  const { signal } = options;
  const run = new DagRun(options);
  const stop = () => run.requestStop('stopped');
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await run.toEnd();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

class DagRun {
  readonly #options: RunDagOptions;
  readonly #state: RunState;
  readonly #inbox: Inbox<Arrival> = createInbox<Arrival>();
  readonly #running = new Map<number, Work>();
  readonly #tries = new Map<number, Tries>();
  readonly #waiting = new Map<number, WaitingStep>();
  readonly #timers = new Set<() => void>();
  readonly #changes: ChangeList;
  #starting: number[] = [];
  #stopReason: StopReason | undefined;
  #isPacing = false;

  constructor(options: RunDagOptions) {
    this.#options = options;
    this.#state = createRunState(options.plan, options.maxActiveSteps);
    this.#changes = createChangeList(options.plan);
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
    return { status: this.#state.runOutcome(), startedAt, endedAt: clock.now() };
  }

  /** One turn of the scheduler: take in what happened, decide, record, and only then start. */
  async #turn(arrivals: readonly Arrival[]): Promise<void> {
    for (const arrival of arrivals) this.#takeIn(arrival);
    const ready = this.#stopReason === undefined ? this.#takeReady() : [];
    const guarded = ready.filter((index) => isGuarded(this.#options.plan, index));
    const starting = [...this.#starting, ...ready.filter((index) => !isGuarded(this.#options.plan, index))];
    this.#starting = [];
    for (const index of starting) this.#changes.starting(index, this.#nextAttempt(index), this.#options.clock.now());
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
        this.#changes.processStarted(arrival.index, this.#triesOf(arrival.index).attempt, arrival.process);
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
    if (verdict.kind === 'final' || this.#stopReason !== undefined) {
      this.#endStep(index, at, { outcome, continues: verdict.kind === 'final' && verdict.continues });
      return;
    }
    const { afterMs } = verdict;
    const isRetry = verdict.kind === 'retry';
    const { attempt, retries, turns } = this.#triesOf(index);
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

  #endStep(index: number, at: Date, { outcome, continues }: StepEnding): void {
    const { attempt, turns } = this.#triesOf(index);
    const isRepeated = this.#options.plan.steps[index]?.repeatPolicy !== undefined;
    // The turn that a waiting step would go on from is counted already.
    const done = isRepeated ? { doneCount: turns + Number(!this.#waiting.has(index)) } : {};
    const reason = this.#stopReason;
    const isCutOff = reason !== undefined && isAbortedNode(outcome.status);
    const told = isCutOff ? { ...outcome, error: stopTexts[reason] } : outcome;
    this.#changes.ended(index, { attempt, at, outcome: told, ...done });
    this.#changes.blocked(this.#state.finish(index, outcome.status, continues), at);
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
    for (const index of this.#state.stop(reason)) {
      this.#changes.notStarted(index, { at, status: 'aborted', error: stopTexts[reason] });
    }
  }

  async #record(): Promise<void> {
    const changes = this.#changes.take();
    if (changes.length === 0) return;
    const end = this.#state.isFinished() ? this.#state.runOutcome() : undefined;
    await this.#options.recorder.stepsChanged(changes, end);
  }

  /** `work` never rejects, and its arrival is what the run waits for. */
  #carryOut(index: number, work: (signal: AbortSignal) => Promise<Arrival>): void {
    const controller = new AbortController();
    // The stop came while the start was being recorded: an aborted signal starts nothing.
    if (this.#stopReason !== undefined) controller.abort();
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
      tries: this.#triesOf(index),
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

  #nextAttempt(index: number): Tries {
    const tries = this.#triesOf(index);
    const next = { ...tries, attempt: tries.attempt + 1 };
    this.#tries.set(index, next);
    return next;
  }

  #triesOf(index: number): Tries {
    return this.#tries.get(index) ?? firstTry;
  }
}
