import type { Logger } from '@weir/service-kit';
import type { ActiveRuns } from './active-runs';
import type { Claims } from './claims';
import { createFailureReport, reportFailure, type FailureReport } from '../../adapters/failure-report';
import type { LostRuns } from './lost-runs';

export interface ClaimLoopOptions {
  /** Pause between two polls of the queue when nothing wakes the loop. */
  readonly pollMs: number;
  /** Whether a run may have been queued since it last returned true. This check costs less than a poll. */
  readonly mayHaveChanged: () => boolean;
  /** Time between two searches for lost runs. */
  readonly recoverMs: number;
  readonly stopping: AbortSignal;
  readonly logger: Logger;
}

/** Timers may fire early by this time. */
const timerSlackMs = 10;

interface ClaimLoopParts {
  readonly active: Pick<ActiveRuns, 'start'>;
  readonly claims: Pick<Claims, 'claimAll'>;
  readonly lost: Pick<LostRuns, 'searchDueInMs' | 'search'>;
}

/** Claims and starts queued runs until the worker stops, and searches for lost ones in between. */
export class ClaimLoop {
  readonly #options: ClaimLoopOptions;
  readonly #parts: ClaimLoopParts;
  readonly #report: FailureReport;
  #wake: (() => void) | undefined;
  #isWoken = false;
  #claimedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ClaimLoopOptions, parts: ClaimLoopParts) {
    this.#options = options;
    this.#parts = parts;
    this.#report = createFailureReport(options.logger, {
      failed: 'queued runs cannot be claimed',
      succeeded: 'queued runs are claimed again',
    });
  }

  /** Wakes the loop, because a run was queued, or a slot of a queue is free. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Works sequentially, so that no claim is in progress when the claims of this worker are searched. */
  async run(): Promise<void> {
    const { stopping } = this.#options;
    const { lost } = this.#parts;
    while (!stopping.aborted) {
      const isClaimDue = this.#isWoken || this.#claimDueInMs() <= timerSlackMs;
      this.#isWoken = false;
      if (this.#searchDueInMs() <= timerSlackMs) await lost.search();
      if (isClaimDue) await this.#claim();
      await this.#wokenOrDue();
    }
  }

  #claimDueInMs(): number {
    return this.#options.pollMs - (performance.now() - this.#claimedAt);
  }

  #searchDueInMs(): number {
    return this.#parts.lost.searchDueInMs(this.#options.recoverMs);
  }

  async #claim(): Promise<void> {
    const { active, claims } = this.#parts;
    this.#claimedAt = performance.now();
    await reportFailure(
      claims.claimAll('queue', (claim) => void active.start(claim)),
      this.#report,
    );
  }

  async #wokenOrDue(): Promise<void> {
    const { mayHaveChanged } = this.#options;
    do await this.#wokenOrPaused();
    while (!this.#isPolledNow() && !mayHaveChanged());
  }

  #isPolledNow(): boolean {
    return this.#isWoken || this.#options.stopping.aborted;
  }

  async #wokenOrPaused(): Promise<void> {
    if (this.#isPolledNow()) return;
    await new Promise<void>((resolve) => {
      // Waits until the next poll or search is due, not for a whole interval: a wake-up must not postpone a search.
      const timer = setTimeout(resolve, Math.max(1, Math.min(this.#claimDueInMs(), this.#searchDueInMs())));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
