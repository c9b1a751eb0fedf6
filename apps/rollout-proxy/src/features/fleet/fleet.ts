import type { ApiClient } from '@weir/api-client';
import type { Paths } from '@weir/rollout-contract/paths';
import type { PauseMode } from '@weir/rollout-engine';

interface FleetMember {
  /** The number of the replica's lease. */
  readonly number: number;
  readonly address: string;
}

type Ask<T> = (client: ApiClient<Paths>) => Promise<T>;

/** The processes that serve the sessions of one installation. All rejections are `unavailable`. */
export interface Fleet {
  /** Asks each of the other processes. A process that is gone does not answer; a process that may exist must answer. */
  askOthers<T>(ask: Ask<T>): Promise<readonly T[]>;
  /** The same, and after it this process has the sessions of those that are gone. */
  gather<T>(ask: Ask<T>): Promise<readonly T[]>;
  /** Returns all replicas, this one first; an empty list if only one process is possible. */
  replicas(): Promise<readonly FleetMember[]>;
  /** Applies what another process has changed of weights and pauses. */
  refresh(): Promise<void>;
  /** Has all other processes pause, or continue with the stored weights, and remembers it for those that start. */
  settle(pause: PauseMode | undefined): Promise<void>;
}

/** One process. */
export const alone: Fleet = {
  askOthers: () => Promise.resolve([]),
  gather: () => Promise.resolve([]),
  replicas: () => Promise.resolve([]),
  refresh: () => Promise.resolve(),
  settle: () => Promise.resolve(),
};
