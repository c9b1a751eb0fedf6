import { isAppError } from '@weir/foundation';
import type { HttpEngine } from '../dialects/http-engine';

export interface EngineReplica {
  /** Identifies a replica across restarts. Not used in messages. */
  readonly key: string;
  readonly engine: HttpEngine;
}

export interface ReplicaState extends EngineReplica {
  load: number;
  /** Consecutive failed checks. */
  failures: number;
  isUp: boolean;
}

export function createReplicaState(replica: EngineReplica): ReplicaState {
  return { ...replica, load: 0, failures: 0, isUp: true };
}

/** A failed connection counts; a missing answer does not, because a busy engine answers late. */
export function isUnreachable(error: unknown): boolean {
  return isAppError(error) && error.reason === 'engine_unreachable';
}

export function recordFailure(state: ReplicaState, failuresToDown: number): void {
  state.failures += 1;
  if (state.failures >= failuresToDown) state.isUp = false;
}

export function recordHealth(state: ReplicaState): void {
  state.failures = 0;
  state.isUp = true;
}
