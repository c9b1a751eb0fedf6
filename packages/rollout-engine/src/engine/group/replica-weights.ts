import { AppError } from '@weir/foundation';
import type { EngineWeights } from '../http/dialect';
import type { UpdateWeights } from '../dialects/http-engine';
import { isUnreachable, type ReplicaState } from './replica-state';

/** The weights of a group of servers. */
export interface ReplicaWeights {
  /** `undefined` where a server has no operation for it. Rejects unless every server that answers has the weights. */
  readonly update: UpdateWeights | undefined;
  /** Notes that another process has given the servers these weights. */
  note(weights: EngineWeights): void;
  /** Restores the weights of a server that was down: it may have restarted with others, or have missed an update. */
  restore(state: ReplicaState, signal: AbortSignal): Promise<void>;
}

export function createReplicaWeights(
  states: readonly ReplicaState[],
  initial: EngineWeights | undefined,
): ReplicaWeights {
  let current = initial;
  const update: UpdateWeights = async (weights, signal) => {
    const reached = states.filter(({ isUp }) => isUp);
    const failures = await Promise.all(reached.map((state) => tryUpdate(state, weights, signal)));
    // Servers that come back meanwhile get these.
    current = weights;
    const failed = failures.filter((failure) => failure !== undefined);
    const refused = failed.find(({ error }) => !isUnreachable(error));
    if (refused === undefined && failed.length < reached.length) return;
    throw refused?.error ?? failed[0]?.error ?? noServer();
  };
  return {
    update: states.every(({ engine }) => engine.updateWeights !== undefined) ? update : undefined,
    note: (weights) => void (current = weights),
    async restore({ engine }, signal) {
      let restored: EngineWeights | undefined;
      while (current !== undefined && restored !== current) {
        restored = current;
        await engine.updateWeights?.(restored, signal);
      }
    },
  };
}

interface UpdateFailure {
  readonly error: Error;
}

async function tryUpdate(
  state: ReplicaState,
  weights: EngineWeights,
  signal: AbortSignal,
): Promise<UpdateFailure | undefined> {
  try {
    await state.engine.updateWeights?.(weights, signal);
    return undefined;
  } catch (error) {
    if (isUnreachable(error)) state.isUp = false;
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

function noServer(): AppError {
  return new AppError('unavailable', 'No inference engine is healthy.', { reason: 'no_healthy_replica' });
}
