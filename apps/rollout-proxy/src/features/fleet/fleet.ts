import type { ApiClient } from '@weir/api-client';
import type { SessionChanges } from '@weir/rollout-contract';
import type { Paths } from '@weir/rollout-contract/paths';
import type { PauseMode } from '@weir/rollout-engine';

interface FleetMember {
  /** The number of the replica's lease. */
  readonly number: number;
  readonly address: string;
}

type Ask<T> = (client: ApiClient<Paths>) => Promise<T>;

/** Is told what happens to sessions in other processes. */
export interface ChangesListener {
  /** Another process is heard from now on; what it changed before was not told. */
  readonly onHeard: () => void;
  readonly onChanges: (changes: SessionChanges) => void;
}

/** The processes that serve the sessions of one installation. All rejections are `unavailable`. */
export interface Fleet {
  /** Asks each of the other processes. A process that is gone does not answer; a process that may exist must answer. */
  askOthers<T>(ask: Ask<T>): Promise<readonly T[]>;
  /** The same, and after it this process has the sessions of those that are gone. */
  gather<T>(ask: Ask<T>): Promise<readonly T[]>;
  /**
   * Tells the changes of all other processes until the signal, also of those that start later. Resolves when each has
   * been tried: those that are heard by then are not reported as heard. Never rejects.
   */
  follow(listener: ChangesListener, signal: AbortSignal): Promise<void>;
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
  follow: () => Promise.resolve(),
  replicas: () => Promise.resolve([]),
  refresh: () => Promise.resolve(),
  settle: () => Promise.resolve(),
};
