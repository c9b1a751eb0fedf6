import { isAppError } from '@weir/errors';
import type { HttpEngine } from '../http-engine';

export interface EngineReplica {
  /** Tells replicas apart, over restarts too. Seen in no message. */
  readonly key: string;
  readonly engine: HttpEngine;
}

/** What the group knows of one replica. */
export interface ReplicaState extends EngineReplica {
  load: number;
  /** Checks in a row that failed. */
  failures: number;
  isUp: boolean;
}

export function createReplicaState(replica: EngineReplica): ReplicaState {
  return { ...replica, load: 0, failures: 0, isUp: true };
}

/** A connection that fails, or a health endpoint that says no. Silence is none: a busy engine answers late. */
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
