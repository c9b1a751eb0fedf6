import { AppError, isAppError, toError } from '@weir/errors';
import type { Clock } from './clock';
import { createInbox, type Inbox } from './inbox';
import type { Plan } from './plan';
import { createRunState, type RunState } from './run-state';
import type { RunStatus } from './statuses';
import type { ProcessIdentity, RunRecorder, StepChange, StepExecutor, StepOutcome } from './step-ports';

export interface RunDagOptions {
  readonly plan: Plan;
  readonly executor: StepExecutor;
  readonly recorder: RunRecorder;
  readonly clock: Clock;
  /** Stops the run: running steps are asked to end, the others become aborted. */
  readonly signal: AbortSignal;
  /** Steps that may run at the same time; 0 is no limit. */
  readonly maxActiveSteps: number;
}

export interface RunOutcome {
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

type Arrival =
  | { readonly kind: 'process'; readonly index: number; readonly process: ProcessIdentity }
  | { readonly kind: 'end'; readonly index: number; readonly at: Date; readonly outcome: StepOutcome }
  | { readonly kind: 'stop' };

// Until steps are retried every step has one attempt.
const firstAttempt = 1;
const maxErrorLength = 1024;

/**
 * Runs a planned DAG to its end. A step is recorded as starting before it starts, and its end is recorded before
 * its dependents start; everything that happened in one turn goes to the recorder in one call. When the recorder
 * fails, running steps are aborted and waited for, and its error is thrown: no step ever runs unrecorded.
 */
export async function runDag(options: RunDagOptions): Promise<RunOutcome> {
  const { signal } = options;
  const run = new DagRun(options);
  const stop = () => run.requestStop();
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
  readonly #running = new Map<number, { readonly controller: AbortController; readonly settled: Promise<void> }>();
  #changes: StepChange[] = [];

  constructor(options: RunDagOptions) {
    this.#options = options;
    this.#state = createRunState(options.plan, options.maxActiveSteps);
  }

  requestStop(): void {
    this.#abortRunning();
    this.#inbox.put({ kind: 'stop' });
  }

  async toEnd(): Promise<RunOutcome> {
    const startedAt = this.#options.clock.now();
    try {
      await this.#turn([]);
      while (!this.#state.isFinished()) await this.#turn(await this.#inbox.takeAll());
    } catch (error) {
      this.#abortRunning();
      await Promise.all([...this.#running.values()].map(({ settled }) => settled));
      throw error;
    }
    return { status: this.#state.runOutcome(), startedAt, endedAt: this.#options.clock.now() };
  }

  /** One turn of the scheduler: take in what happened, decide, record, and only then start. */
  async #turn(arrivals: readonly Arrival[]): Promise<void> {
    for (const arrival of arrivals) this.#takeIn(arrival);
    const starting = this.#options.signal.aborted ? [] : this.#state.takeReady();
    for (const index of starting) {
      this.#change({ kind: 'starting', ...this.#nameOf(index), attempt: firstAttempt, at: this.#options.clock.now() });
    }
    await this.#record();
    for (const index of starting) this.#start(index);
  }

  #takeIn(arrival: Arrival): void {
    switch (arrival.kind) {
      case 'process': {
        const { index, process } = arrival;
        this.#change({ kind: 'process_started', ...this.#nameOf(index), attempt: firstAttempt, process });
        break;
      }
      case 'end': {
        const { index, at, outcome } = arrival;
        this.#running.delete(index);
        this.#change({ kind: 'ended', ...this.#nameOf(index), attempt: firstAttempt, at, outcome });
        this.#notStarted(this.#state.finish(index, outcome.status), at, 'upstream failed');
        break;
      }
      case 'stop':
        this.#notStarted(this.#state.stop(), this.#options.clock.now(), 'run stopped');
        break;
    }
  }

  #notStarted(indexes: readonly number[], at: Date, error: string): void {
    for (const index of indexes) this.#change({ kind: 'not_started', ...this.#nameOf(index), at, error });
  }

  async #record(): Promise<void> {
    if (this.#changes.length === 0) return;
    const changes = this.#changes;
    this.#changes = [];
    await this.#options.recorder.stepsChanged(changes);
  }

  #start(index: number): void {
    const controller = new AbortController();
    // The stop came while the start was being recorded: the executor sees an aborted signal and starts nothing.
    if (this.#options.signal.aborted) controller.abort();
    const settled = this.#execute(index, controller.signal).then((outcome) =>
      this.#inbox.put({ kind: 'end', index, at: this.#options.clock.now(), outcome }),
    );
    this.#running.set(index, { controller, settled });
  }

  /** Never rejects. */
  async #execute(index: number, signal: AbortSignal): Promise<StepOutcome> {
    if (signal.aborted) return { status: 'aborted', error: 'run stopped' };
    let ended = false;
    const onStarted = (process: ProcessIdentity) => {
      // A late call must not be recorded after the step's end.
      if (!ended) this.#inbox.put({ kind: 'process', index, process });
    };
    try {
      const step = this.#options.plan.steps[index];
      if (step === undefined) throw new AppError('internal', `The plan has no step ${index}.`);
      return await this.#options.executor.execute(step, { index, attempt: firstAttempt, signal, onStarted });
    } catch (error) {
      return outcomeOfError(error, signal);
    } finally {
      ended = true;
    }
  }

  #abortRunning(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }

  #change(change: StepChange): void {
    this.#changes.push(change);
  }

  #nameOf(index: number): { readonly index: number; readonly stepName: string } {
    return { index, stepName: this.#options.plan.steps[index]?.name ?? '' };
  }
}

function outcomeOfError(caught: unknown, signal: AbortSignal): StepOutcome {
  const cause = toError(caught);
  if (signal.aborted) return { status: 'aborted', error: 'run stopped', cause };
  // The text of a foreign error was not written for people's eyes and may hold the command.
  const text = isAppError(cause) ? cause.message : 'The step could not be executed.';
  return { status: 'failed', error: text.slice(0, maxErrorLength), cause };
}
