import type { TokenScores } from '@weir/rollout-core';

export interface ScoreRequest {
  /** Unique name of the request at the engine. */
  readonly requestId: string;
  /** The whole sequence. */
  readonly ids: Int32Array;
  /** The first token that is scored, at least 1: nothing comes before the token at 0. */
  readonly from: number;
  /** How many of the likeliest tokens to report at each position; 0 reports none. */
  readonly topLogprobs: number;
}

/** The engine behind scores, as it describes itself. */
export interface ScorerInfo {
  readonly engine: string;
  readonly version?: string;
  readonly model?: string;
}

/** A model that gives log-probabilities of tokens that another one sampled: a reference or a teacher. */
export interface TokenScorer {
  /**
   * The scores of `ids[from]` to the end, each given the ids before it, of the model's distribution at temperature 1.
   *
   * Rejects with an `AppError`: `unavailable`, `upstream_failed` (reasons `scores_missing`, `scores_differ`,
   * `tokenizers_differ`, …), `upstream_timeout` or `invalid_request` (reason `prompt_too_long`). Aborting the signal
   * closes the connection, which aborts the work at the engine.
   */
  score(request: ScoreRequest, signal: AbortSignal): Promise<TokenScores>;
  /** Asked of the engine once; rejects like `score`. */
  info(signal: AbortSignal): Promise<ScorerInfo>;
  stop(): Promise<void>;
}
