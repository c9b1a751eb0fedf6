import type { StopReason } from './status-tally';

interface ActiveStep {
  readonly controller: AbortController;
  /** Never rejects. */
  readonly settled: Promise<void>;
  /** An iteration of a repeated step, which may finish by itself after a stop. */
  readonly isIteration: boolean;
}

/** The attempts and the checks of preconditions that are in progress. */
export class ActiveSteps {
  readonly #steps = new Map<number, ActiveStep>();

  add(index: number, step: ActiveStep): void {
    this.#steps.set(index, step);
  }

  remove(index: number): void {
    this.#steps.delete(index);
  }

  /** Iterations that end by a stop, and not by a timeout, are given to `afterCleanUp` with what aborts them. */
  stop(reason: StopReason, afterCleanUp: (abort: () => void) => void): void {
    for (const { controller, isIteration } of this.#steps.values()) {
      if (!isIteration || reason === 'timed_out') controller.abort();
      else afterCleanUp(() => controller.abort());
    }
  }

  abortAll(): void {
    for (const { controller } of this.#steps.values()) controller.abort();
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#steps.values()].map(({ settled }) => settled));
  }
}
