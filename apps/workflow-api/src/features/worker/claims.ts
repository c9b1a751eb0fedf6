import type { Clock, WorkerLabels } from '@weir/workflow-engine/model';
import type { QueueClaim, QueueDriver } from '../queue/store';

export interface ClaimsOptions {
  readonly queue: Pick<QueueDriver<never>, 'claim'>;
  readonly workerId: string;
  /** The labels of the worker. */
  readonly labels: WorkerLabels;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
  readonly hasCapacity: () => boolean;
  /** Whether the worker keeps what it claims. */
  readonly isLeaseLive: () => boolean;
}

/** Claims runs for a worker as long as it has capacity. */
export class Claims {
  readonly #options: ClaimsOptions;
  /** When set, only this root run and its descendants are claimed. */
  rootId: string | undefined;

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /** Returns whether nothing was left to claim. */
  async claimAll(from: 'queue' | 'expired', start: (claim: QueueClaim) => void): Promise<boolean> {
    const { queue, workerId, labels, clock, stopping, hasCapacity, isLeaseLive } = this.#options;
    // When the database is back, the heartbeat may be stored after a claim, which would then be lost at once.
    while (hasCapacity() && isLeaseLive()) {
      const claim = await queue.claim({ owner: workerId, labels, at: clock.now(), from, within: this.rootId });
      if (claim === undefined) return true;
      start(claim);
      if (stopping.aborted) return false;
    }
    return false;
  }
}
