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

/** Without a configured coordinator there are no workers, which is reported but is not an error. */
export const noCoordinator: Coordinator = {
  listWorkers: () => Promise.resolve({ workers: [], errors: ['No coordinator is configured.'] }),
};
