import type { Worker } from '@weir/workflow-contract';

export interface CoordinatorAnswer {
  readonly workers: readonly Worker[];
  readonly errors: readonly string[];
}

/** Knows the distributed workers. */
export interface Coordinator {
  /** Throws `coordinator_unavailable`. */
  listWorkers(signal: AbortSignal): Promise<CoordinatorAnswer>;
}

/** Where no coordinator is configured there are no workers, which is said and is no failure. */
export const noCoordinator: Coordinator = {
  listWorkers: () => Promise.resolve({ workers: [], errors: ['No coordinator is configured.'] }),
};
