import type { Client } from '@weir/http-contract';
import type { ExportRequest, ExportResponse, rolloutContract } from '@weir/rollout-contract';

export type ExportOptions = Partial<Omit<ExportRequest, 'session_id' | 'format'>>;

export interface SessionInteraction {
  readonly id: string;
  /** As it was set; `null` where none is. */
  readonly reward: number | null;
}

/** A session of the proxy. Leaving its scope (`await using`) removes it, unless its export was acknowledged. */
export interface RolloutSession extends AsyncDisposable {
  readonly id: string;
  /** For the clients of the model protocols. */
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Default: of the interaction that was completed last. Also possible after the end, until the export is acknowledged. */
  reward(reward: number, interactionId?: string): Promise<void>;
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
  /** With the admin key. */
  readonly calls: Client<typeof rolloutContract>;
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
      await calls.setReward({ body: { session_id: id, reward, interaction_id: interactionId ?? null } });
    },
    end: async () => (await calls.endSession({ body: { session_id: id } })).interaction_count,
    interactions: async () => {
      const { interactions } = await calls.getSession({ params: { sessionId: id } });
      return interactions.map(({ interaction_id: interactionId, reward }) => ({ id: interactionId, reward }));
    },
    export: (options = {}) => calls.exportTrajectories({ body: { session_id: id, ...options } }),
    acknowledge: async () => {
      await calls.acknowledgeExport({ body: { session_id: id } });
      isRemoved = true;
    },
    remove: removeOnce,
    [Symbol.asyncDispose]: removeOnce,
  };
}
