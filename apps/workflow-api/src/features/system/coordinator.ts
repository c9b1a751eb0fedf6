import type { Worker } from '@weir/workflow-contract';
import type { Principal } from '../auth';

export interface CoordinatorAnswer {
  readonly workers: readonly Worker[];
  readonly errors: readonly string[];
}

/** Knows the workers. */
export interface Coordinator {
  /** Throws `coordinator_unavailable`. */
  listWorkers(signal: AbortSignal, principal: Principal): Promise<CoordinatorAnswer>;
}
