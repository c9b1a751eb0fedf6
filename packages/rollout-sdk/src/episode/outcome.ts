import type { Exported } from '../load/exported';

export const rejectionReasons = [
  'agent_failed',
  'timed_out',
  'worker_died',
  'not_serializable',
  'no_interactions',
  'reward_invalid',
  'reward_unknown_interaction',
  'proxy_failed',
  'cancelled',
] as const;

/** The reason why an episode gave no trajectory. The table of cases in the contract package explains each one. */
export type RejectionReason = (typeof rejectionReasons)[number];

/** An episode that gave a trajectory. */
export interface CompletedEpisode {
  readonly kind: 'episode';
  readonly status: 'completed';
  readonly sessionId: string;
  /** The sum of the rewards that were set, before discounting; 0 if none was set. */
  readonly reward: number;
  /** The input for `load`. */
  readonly exported: Exported;
}

export interface RejectedEpisode {
  readonly kind: 'episode';
  readonly status: 'rejected';
  readonly reason: RejectionReason;
  readonly error: Error;
  readonly sessionId: string | undefined;
  /** Set if the session could not be removed either: the proxy removes it after its idle time. */
  readonly cleanUpError?: Error;
}

export type EpisodeOutcome = CompletedEpisode | RejectedEpisode;

export interface GroupOutcome {
  readonly kind: 'group';
  /** `complete`: all members completed; `partial`: some; `rejected`: none, or a filter rejected the group. */
  readonly status: 'complete' | 'partial' | 'rejected';
  /** `no_members`, or the reason of the filter. */
  readonly reason: string | undefined;
  /** One outcome for each member, in order. */
  readonly members: readonly EpisodeOutcome[];
}

export type RolloutOutcome = EpisodeOutcome | GroupOutcome;

/** Why an episode was rejected, on its way to the outcome. */
export class EpisodeError extends Error {
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EpisodeError';
    this.reason = reason;
  }
}
