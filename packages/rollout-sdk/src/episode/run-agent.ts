/** One call of an agent's `run`. */
export interface AgentJob {
  readonly data: unknown;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly sampleIndex: number;
  /** The episode is no longer needed. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Runs an agent and resolves with its result. Rejects with an `EpisodeError`: `agent_failed`, `timed_out`,
 * `worker_died`, `not_serializable` or `cancelled`.
 */
export type RunAgent = (job: AgentJob) => Promise<unknown>;
