import type { InteractionCache, Message, TokenScores, WeightRange } from '@weir/rollout-core';
import type { CompletionSession, OpenCompletion, ScorerInfo } from '@weir/rollout-engine';

export type EndReason = 'client' | 'idle';

/**
 * `active`: accepts model calls and rewards. `ending`: running calls may finish, new ones are rejected. `ended`: the
 * session waits for its export. `exported`: the key is invalid, the data is retained until it is acknowledged or
 * expires. `removed`: deleted. States only advance.
 */
export type SessionState = 'active' | 'ending' | 'ended' | 'exported' | 'removed';

export interface SessionLimits {
  readonly sessionInteractions: number;
  readonly sessionBytes: number;
  /** Bytes of all sessions together. */
  readonly bytes: number;
  readonly sessionTokens: number;
}

export interface RewardTarget {
  /** Default: the last completed interaction. */
  readonly interactionId: string | undefined;
  readonly reward: number;
  /** Accepted after the end, too. */
  readonly isCorrection: boolean;
}

export interface LossWeightTarget {
  readonly target:
    | { readonly kind: 'session'; readonly weight: number }
    | { readonly kind: 'interaction'; readonly interactionId: string; readonly ranges: readonly WeightRange[] }
    | {
        readonly kind: 'interaction';
        readonly interactionId: string;
        readonly ranges?: undefined;
        readonly weight: number;
      };
  /** Accepted after the end, too. */
  readonly isCorrection: boolean;
}

export interface ScoredInteraction {
  /** The name of the model. */
  readonly scorer: string;
  readonly interactionId: string;
  readonly scores: TokenScores;
  /** The engine behind that name at that time. */
  readonly info: ScorerInfo;
}

export interface RewardGiven {
  readonly interactionId: string;
  readonly reward: number;
  /** Counts the rewards set in the session. */
  readonly revision: number;
}

export interface SessionStatus {
  readonly state: SessionState;
  readonly endReason: EndReason | undefined;
  readonly runningCompletions: number;
  readonly sampledTokens: number;
  readonly rewardRevision: number;
  readonly bytes: number;
  readonly lastUsedAtMs: number;
  /** When it entered its state, for `ended` and `exported`. */
  readonly stateSinceMs: number;
}

/** One episode: its interactions, its rewards and its state. */
export interface Session extends CompletionSession {
  readonly taskId: string;
  readonly number: number;
  readonly keyHash: string;
  readonly createdAtMs: number;
  /** Read-only for callers; changed through completions and `setReward`. */
  readonly cache: InteractionCache;
  /** Bytes of its journal that can no longer be read: nothing of the session is used for training then. */
  readonly damagedBytes: number;
  status(): SessionStatus;
  /** The whole conversation including the answer. */
  findConversation(interactionId: string): readonly Message[] | undefined;
  /**
   * Starts a model call. Throws `conflict` (reason `session_ended`), `invalid_request` (reasons
   * `session_interactions_exhausted`, `session_bytes_exhausted`, `session_tokens_exhausted`) or `rate_limited` (reason
   * `bytes_exhausted`). A resolved commit survives the end of the process.
   */
  startCompletion(): OpenCompletion;
  /** Rejects with `conflict` (`session_ended`) or `invalid_request` (`no_interactions`, `interaction_not_found`). */
  setReward(target: RewardTarget): Promise<RewardGiven>;
  /**
   * Rejects with `conflict` (`session_ended`) or `invalid_request` (`interaction_not_found`, `loss_weight_invalid`,
   * `loss_range_invalid`).
   */
  setLossWeights(target: LossWeightTarget): Promise<void>;
  /**
   * Stores scores of a call, in place of earlier ones of that model. Rejects with `invalid_request` (reasons
   * `interaction_not_found`, `session_bytes_exhausted`) or `rate_limited` (reason `bytes_exhausted`).
   */
  addScores(scored: ScoredInteraction): Promise<void>;
  /** Ends the session and resolves once it has ended. Running calls may finish within a time, then they are aborted. */
  end(reason: EndReason): Promise<void>;
  /** Resolves with whether it ended within that time. An aborted signal rejects. */
  waitUntilEnded(waitMs: number, signal: AbortSignal): Promise<boolean>;
  markExported(): Promise<void>;
  /** Throws `not_found` once it was removed, and `unavailable` where another process may own it. */
  assertPresent(): void;
  /** Whether no other process can have it. */
  isOwned(): boolean;
  /** Whether it was left to another process. */
  hasLeft(): boolean;
  /** Leaves the session to another process: running model calls are aborted, the journal stays unchanged. */
  leave(): void;
  /** Deletes its journal. Running model calls are aborted. */
  remove(): Promise<void>;
}
