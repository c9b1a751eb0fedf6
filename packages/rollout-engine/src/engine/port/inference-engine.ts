import type { RoutedExperts, SampledTokens } from '@weir/rollout-core';
import type { ExpertShape } from './recording';

/** The rule for sampling the next token. Missing fields are neutral: no penalty and no cut-off. */
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
  /** The value to add to the logit of each token id. */
  readonly logitBias?: ReadonlyMap<number, number>;
}

/** Which experts a generation reports: rows from the token at `from` of its sequence to the last but one. */
export interface ExpertRequest extends ExpertShape {
  readonly from: number;
}

/** One version of a LoRA adapter. */
export interface AdapterVersion {
  readonly name: string;
  readonly version: number;
  /** Where the engine reads it; `undefined` where the engine has it under its name since its start. */
  readonly path?: string | undefined;
  /** Whether SGLang never evicts it from the memory of its GPU. Other engines have nothing like it. */
  readonly isPinned: boolean;
}

/** One generation from token ids to token ids. Text matters only for `stop`. */
export interface GenerationRequest {
  /** Unique name of the generation at the engine, for aborts. */
  readonly requestId: string;
  /** Generations of one session run on one replica while it is healthy. */
  readonly sessionId: string;
  readonly promptIds: Int32Array;
  /** The adapter to sample with, by name. Generation control finds its version when a segment starts. */
  readonly adapterName?: string | undefined;
  /** The version to sample with; only servers over HTTP take it. Tokens have its version then. */
  readonly adapter?: AdapterVersion | undefined;
  /** At least 1. */
  readonly maxNewTokens: number;
  readonly sampling: SamplingParameters;
  /** Tokens that end the answer and are part of it. */
  readonly stopTokenIds: readonly number[];
  /** Strings that end the answer. The ids are complete even if the engine cuts its text. */
  readonly stop: readonly string[];
  /** A GBNF grammar. Only engines whose info has `grammar` accept it. */
  readonly grammar?: string;
  /** How many of the most likely tokens to report with each token; 0 reports none. */
  readonly topLogprobs: number;
  /** The first token of the prompt, from 1, whose log-probability and that of all after it is reported. */
  readonly promptLogprobsFrom?: number;
  /** Whether the tokens that cut-offs left are reported with each sampled one. Needs `topK`. Default false. */
  readonly samplingMask?: boolean;
  /** Only engines whose kind has `routedExperts` take it. */
  readonly routedExperts?: ExpertRequest;
  /** Whether pieces are needed as they are sampled; otherwise one piece at the end is enough. */
  readonly isStreaming: boolean;
}

export interface TokenChoice {
  readonly id: number;
  readonly logprob: number;
}

/** The next tokens of an answer. */
export interface TokenPiece {
  readonly kind: 'tokens';
  readonly tokens: SampledTokens;
  /** One list per token, if requested. */
  readonly top?: readonly (readonly TokenChoice[])[];
  /** The ids that cut-offs left at each token, if requested. Checked by nobody yet. */
  readonly masks?: readonly unknown[];
  /** Natural logarithms of the prompt from the requested token, at temperature 1; once, with any piece. */
  readonly promptLogprobs?: Float32Array;
  /** Experts of the sequence so far, if requested; usually with the last piece, which then may have no tokens. */
  readonly experts?: RoutedExperts;
  /** The doubt of the end, if it came here: for a caller that stops reading before the end. */
  readonly doubt?: string;
}

export interface GenerationEnd {
  readonly kind: 'end';
  /** `stop`: a stop token or text; `length`: the limit; `aborted`: by the engine (a pause, an update). */
  readonly reason: 'stop' | 'length' | 'aborted';
  /** Tokens of the prompt that the engine had in its cache, where it reports them. */
  readonly cachedTokens?: number;
  /** Why the tokens must not be used for training, although the answer is delivered: `prompt_ids_differ`, … */
  readonly doubt?: string;
  /**
   * Versions of all tokens of this generation, if the engine reported them only after pieces were delivered (vLLM does
   * in its last event). They override those of the pieces.
   */
  readonly versions?: Int32Array;
}

export type GenerationEvent = TokenPiece | GenerationEnd;

/** The properties of an engine that a probe found. */
export interface EngineInfo {
  readonly engine: string;
  readonly version?: string;
  readonly model?: string;
  /** Maximum number of tokens, prompt and answer together. */
  readonly contextLength: number;
  readonly acceptsIds: boolean;
  readonly returnsIds: boolean;
  /** Whether log-probabilities are of the sampled distribution, or of the one before temperature and cut-offs. */
  readonly logprobs: 'processed' | 'raw' | 'unknown' | 'none';
  /** How exactly the engine reports the weights of a token. */
  readonly versions: 'spans' | 'answer' | 'none';
  readonly canAbort: boolean;
  readonly grammar: boolean;
  readonly tokenizerParity: 'equal' | 'different' | 'unknown';
  /** `exact`: usable for training; `capture-only`: answers are delivered, but not used for training. */
  readonly mode: 'exact' | 'capture-only';
  /** What `exact` lacks, and which assumptions were made. */
  readonly remarks: readonly string[];
}

/**
 * The source of tokens. `generate` ends with one `end`, or rejects with an `AppError`: `unavailable` when nothing was
 * sampled and a retry may help, otherwise `upstream_failed`, `upstream_timeout` or `invalid_request` (reason
 * `prompt_too_long`). Messages contain neither prompt nor ids nor address. Leaving the loop or aborting the signal
 * aborts the generation at the engine.
 */
export interface InferenceEngine {
  readonly name: string;
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GenerationEvent>;
  probe(signal: AbortSignal): Promise<EngineInfo>;
  stop(): Promise<void>;
}
