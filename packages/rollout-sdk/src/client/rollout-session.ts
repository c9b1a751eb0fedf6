import type { ApiClient } from '@weir/api-client';
import type { ExportRequest, ExportResponse, SetLossWeightRequest } from '@weir/rollout-contract';
import type { Paths } from '@weir/rollout-contract/paths';

export type ExportOptions = Partial<Omit<ExportRequest, 'session_id' | 'format'>>;

/** A weight of some sampled tokens of an interaction, from its first one, half open. */
export type LossWeightRange = NonNullable<SetLossWeightRequest['ranges']>[number];

export interface SessionInteraction {
  readonly id: string;
  /** The reward as it was set; `null` if none was set. */
  readonly reward: number | null;
}

/** A session of the proxy. Leaving its scope (`await using`) removes it, unless its export was acknowledged. */
export interface RolloutSession extends AsyncDisposable {
  readonly id: string;
  /** The key for clients of the model protocols. */
  readonly apiKey: string;
  readonly baseUrl: string;
  /**
   * Sets a reward, by default of the interaction that was completed last. This is also possible after the end, until
   * the export is acknowledged.
   */
  reward(reward: number, interactionId?: string): Promise<void>;
  /**
   * Sets how much trained tokens count in the loss: those of one interaction, or of some ranges of it, or of all without
   * a weight of their own. Exports have it with `loss_weights` in `include_tensors`.
   */
  lossWeight(weight: number | readonly LossWeightRange[], interactionId?: string): Promise<void>;
  /** Ends the session and resolves with the number of completed interactions. */
  end(): Promise<number>;
  /** The completed interactions, in order. */
  interactions(): Promise<readonly SessionInteraction[]>;
  /** Can be repeated, until it is acknowledged. */
  export(options?: ExportOptions): Promise<ExportResponse>;
  /** The proxy deletes the exported data. */
  acknowledge(): Promise<void>;
  /** Deletes the session with its data; running calls are aborted. Idempotent. */
  remove(): Promise<void>;
}

export interface SessionParts {
  readonly id: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Calls the proxy with the admin key. */
  readonly calls: ApiClient<Paths>;
  readonly remove: (sessionId: string) => Promise<void>;
}

export function createRolloutSession({ id, apiKey, baseUrl, calls, remove }: SessionParts): RolloutSession {
  let isRemoved = false;
  const removeOnce = async (): Promise<void> => {
    if (isRemoved) return;
    await remove(id);
    isRemoved = true;
  };
  return {
    id,
    apiKey,
    baseUrl,
    reward: async (reward, interactionId) => {
      await calls.POST('/rl/set_reward', { body: { session_id: id, reward, interaction_id: interactionId ?? null } });
    },
    lossWeight: async (weight, interactionId) => {
      const given = typeof weight === 'number' ? { weight } : { ranges: [...weight] };
      const target = { session_id: id, interaction_id: interactionId ?? null };
      await calls.POST('/rl/set_loss_weight', { body: { ...target, ...given } });
    },
    end: async () => (await calls.POST('/rl/end_session', { body: { session_id: id } })).data.interaction_count,
    interactions: async () => {
      const { data } = await calls.GET('/rl/sessions/{sessionId}', { params: { path: { sessionId: id } } });
      return data.interactions.map(({ interaction_id: interactionId, reward }) => ({ id: interactionId, reward }));
    },
    export: async (options = {}) =>
      (await calls.POST('/export_trajectories', { body: { session_id: id, ...options } })).data,
    acknowledge: async () => {
      await calls.POST('/rl/acknowledge_export', { body: { session_id: id } });
      isRemoved = true;
    },
    remove: removeOnce,
    [Symbol.asyncDispose]: removeOnce,
  };
}
