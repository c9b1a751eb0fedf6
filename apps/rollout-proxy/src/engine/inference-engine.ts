import type { SampledTokens } from '@weir/rollout-core';

/** How the next token is chosen. What is missing is the engine's neutral value: no penalty, nothing cut off. */
export interface SamplingParameters {
  /** 0 is greedy. Default 1. */
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly repetitionPenalty?: number;
  readonly seed?: number;
  /** Token id to what is added to its logit. */
  readonly logitBias?: ReadonlyMap<number, number>;
}

/** One generation: token ids in, token ids out. Text plays no part in it except for `stop`. */
export interface GenerationRequest {
  /** Names the generation at the engine, for `abort`. Unique. */
  readonly requestId: string;
  /** Generations of one session go to one replica while it is healthy. */
  readonly sessionId: string;
  readonly promptIds: Int32Array;
  /** At least 1. */
  readonly maxNewTokens: number;
  readonly sampling: SamplingParameters;
  /** End the answer and are part of it. */
  readonly stopTokenIds: readonly number[];
  /** Texts that end the answer. The ids stay whole, whatever the engine cuts from its text. */
  readonly stop: readonly string[];
  /** In GBNF; only an engine whose facts say `grammar` is given one. */
  readonly grammar?: string;
  /** Beside each token's own log-probability, those of this many likeliest ones. 0 for none. */
  readonly topLogprobs: number;
  /** Whether pieces are wanted as they are made; otherwise one piece at the end is as good. */
  readonly isStreaming: boolean;
}

export interface TokenChoice {
  readonly id: number;
  readonly logprob: number;
}

/** Some more tokens of an answer. */
export interface TokenPiece {
  readonly kind: 'tokens';
  readonly tokens: SampledTokens;
  /** One list a token, where they were asked for. */
  readonly top?: readonly (readonly TokenChoice[])[];
  /** What the end would be doubted for if it came here: for a caller that leaves the loop before the end. */
  readonly doubt?: string;
}

export interface GenerationEnd {
  readonly kind: 'end';
  /** `stop`: a stop token or text; `length`: the limit; `aborted`: the engine broke it off (a pause, an update). */
  readonly reason: 'stop' | 'length' | 'aborted';
  /** Tokens of the prompt that the engine had in its cache, where it says so. */
  readonly cachedTokens?: number;
  /** Why the tokens must not be trained on, though the answer may be given: `prompt_ids_differ`, `logprobs_missing`, … */
  readonly doubt?: string;
  /**
   * Versions of all tokens of this generation, where the engine said them only after pieces had been handed out (vLLM
   * does in its last event). They win over those of the pieces.
   */
  readonly versions?: Int32Array;
}

export type GenerationEvent = TokenPiece | GenerationEnd;

/** What an engine was seen to be able to do, by asking it. */
export interface EngineInfo {
  readonly engine: string;
  readonly version?: string;
  readonly model?: string;
  /** Largest number of tokens, prompt and answer together. */
  readonly contextLength: number;
  readonly acceptsIds: boolean;
  readonly returnsIds: boolean;
  /** Whether log-probabilities are of the distribution that was sampled from, or before temperature and cut-offs. */
  readonly logprobs: 'processed' | 'raw' | 'unknown' | 'none';
  /** How exactly the engine says which weights made a token. */
  readonly versions: 'spans' | 'answer' | 'none';
  readonly canAbort: boolean;
  readonly grammar: boolean;
  readonly tokenizerParity: 'equal' | 'different' | 'unknown';
  /** `exact`: may be trained on; `capture-only`: answers are given and nothing is trained on. */
  readonly mode: 'exact' | 'capture-only';
  /** What is missing for `exact`, and what was assumed. */
  readonly remarks: readonly string[];
}

/**
 * Where tokens come from. `generate` ends with one `end`, and rejects with an `AppError`: `unavailable` when nothing
 * was sampled and another attempt may help, `upstream_failed` otherwise, `upstream_timeout`, `invalid_request` (reason
 * `prompt_too_long`). No message holds prompt, ids or address. Leaving the loop or aborting the signal ends the
 * generation at the engine too.
 */
export interface InferenceEngine {
  readonly name: string;
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GenerationEvent>;
  probe(signal: AbortSignal): Promise<EngineInfo>;
  stop(): Promise<void>;
}
