import { AppError } from '@weir/foundation';
import type { Dag } from '@weir/workflow-spec';
import { createStepChecks, type StepChecksContext } from './conditions/create-step-checks';
import { withMaskedChanges } from '../values/masking/mask-outcome';
import { getStep } from '../model/plan/plan';
import type { Clock } from '../model/ports/clock';
import type { Timer } from '../model/ports/timer';
import {
  getStoredStep,
  openScope,
  type ScopeEnd,
  type ScopeRequest,
  type StoredScopeSource,
} from './loop/active-scope';
import { ActiveSteps } from './loop/active-steps';
import {
  concludeStep,
  decideNext,
  readRetryLimits,
  toErrorEnd,
  toErrorOutcome,
  type AttemptEnd,
} from './loop/attempt-end';
import { createInbox, type Inbox } from './loop/inbox';
import type { ScopeEvent } from './loop/scope-event';
import type { StopReason } from './loop/status-tally';
import type { ScopeOutcome, StepLoopOptions } from './loop/step-loop-options';
import { createScopeRecorder, type ScopeRecorderContext } from './scope-recorder';
import type { ProcessIdentity, StepOutcome } from '../model/steps/step-outcome';
import type { StepExecution } from './loop/step-execution';
import { StepProgress } from './loop/step-progress';
import type { RunValues } from '../values/run-values/run-values';

/** The execution of a scope needs these of its run. */
export interface ScopeContext extends ScopeRecorderContext {
  readonly ports: ScopeRecorderContext['ports'] &
    StepChecksContext['ports'] &
    StoredScopeSource['ports'] & { readonly clock: Clock; readonly timer: Timer };
  readonly dag: Dag;
  /** The values of the DAG; scopes may add to them. */
  readonly values: RunValues;
  /** Aborted when the run is to be released for its next owner. */
  readonly release: AbortSignal;
  /** Executes one attempt of a step, whatever its kind. */
  readonly executeStep: (execution: StepExecution) => Promise<StepOutcome>;
}

/** Executes steps from their snapshots to the end of the scope. */
export async function executeScope(context: ScopeContext, request: ScopeRequest): Promise<ScopeEnd> {
  const { ports, dag, release, values } = context;
  const scope = await openScope(context, request);
  const recorder = createScopeRecorder(context, scope);
  const { status, waiting } = await executeSteps({
    plan: scope.plan,
    executor: {
      execute: (step, attempt) => {
        const stored = getStoredStep(scope, attempt.index);
        const upstream = scope.outputs.findUpstream(attempt.index);
        return context.executeStep({ ...attempt, step, stored, scope, values: scope.values, upstream });
      },
    },
    recorder: withMaskedChanges(recorder, values.masker),
    checks: createStepChecks(context, scope),
    clock: ports.clock,
    timer: ports.timer,
    signal: scope.stop,
    release,
    snapshots: scope.snapshots,
    maxActiveSteps: scope.maxActiveSteps,
    delaySec: scope.delaySec,
    timeoutSec: scope.timeoutSec,
    maxCleanUpTimeSec: dag.maxCleanUpTimeSec,
  });
  return { status, waiting, outputs: scope.outputs, runEnd: recorder.end() };
}

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
    const { timeoutSec = 0 } = this.#options;
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
    return { status: this.#progress.status(), waiting: this.#progress.waitingSteps() };
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
      const result = await checks.preconditions(step, { index, signal });
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
