import type { ReplicaState } from './replica-state';
import { isUnreachable, recordFailure, recordHealth } from './replica-state';

export interface WatchDeps {
  readonly intervalMs: number;
  readonly failuresToDown: number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Called for a replica that answers after it was down or never probed; `false` excludes it. */
  readonly admit: (state: ReplicaState, signal: AbortSignal) => Promise<boolean>;
}

/** Polls the health of every replica until the signal aborts. A slow replica does not delay the others. */
export function watchReplicas(states: readonly ReplicaState[], deps: WatchDeps, signal: AbortSignal): Promise<void> {
  return Promise.all(states.map((state) => watchReplica(state, deps, signal))).then(() => undefined);
}

async function watchReplica(state: ReplicaState, deps: WatchDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await deps.sleep(deps.intervalMs, signal);
    } catch {
      return;
    }
    await checkReplica(state, deps, signal);
    if (signal.aborted) return;
  }
}

async function checkReplica(state: ReplicaState, deps: WatchDeps, signal: AbortSignal): Promise<void> {
  try {
    if (!(await state.engine.checkHealth(signal))) {
      recordFailure(state, deps.failuresToDown);
      return;
    }
    if (state.isUp || (await deps.admit(state, signal))) recordHealth(state);
  } catch (error) {
    if (!signal.aborted && isUnreachable(error)) recordFailure(state, deps.failuresToDown);
  }
}
