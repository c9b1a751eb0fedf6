import type { Message, OutputEvent, ToolDefinition } from '@weir/rollout-core';
import type { Recording } from '../engine/port/recording';
import type { SamplingParameters, TokenChoice } from '../engine/port/inference-engine';

export type Protocol = 'chat-completions' | 'responses' | 'messages' | 'generate-content' | 'completions';

export type ToolChoice =
  { readonly kind: 'auto' | 'none' | 'required' } | { readonly kind: 'named'; readonly name: string };

/** The format that the answer must have. */
export type AnswerFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json_object' }
  | { readonly kind: 'json_schema'; readonly schema: Readonly<Record<string, unknown>> };

/** A model call independent of protocols. Each protocol folder creates it and converts the events to its answer. */
export interface CompletionRequest {
  readonly protocol: Protocol;
  /** The name that the client asked for, and is answered with. */
  readonly model: string;
  /** At least one message, unless there is a `rawPrompt`. */
  readonly messages: readonly Message[];
  /** A prompt that no template renders, as text or as token ids. Its answer is not parsed. */
  readonly rawPrompt?: string | Int32Array | undefined;
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly sampling: SamplingParameters;
  /** Default: the limit of the service. */
  readonly maxNewTokens: number | undefined;
  readonly stop: readonly string[];
  /** `undefined` omits log-probabilities; a number asks for as many of the likeliest alternatives of each token. */
  readonly topLogprobs: number | undefined;
  /** What the call itself asks to be kept. */
  readonly recording?: Partial<Recording>;
  readonly format: AnswerFormat;
  /** Further variables of the chat template. */
  readonly templateArguments: Readonly<Record<string, unknown>>;
  /** `false`: the completion is answered but not recorded. */
  readonly isRecorded: boolean;
  readonly isStreaming: boolean;
  /** Whether the result has the token ids. Default false. */
  readonly returnsTokenIds?: boolean | undefined;
  readonly identity: CompletionIdentity;
}

/**
 * The identity of a repeated request. A request with the key of another one, or one that its SDK marks as a retry and
 * whose body has the same digest, is answered with the completion of the first one.
 */
export interface CompletionIdentity {
  /** The value of the header `Idempotency-Key`. */
  readonly key: string | undefined;
  /** SHA-256 of the body's bytes, in hex. */
  readonly bodyDigest: string;
  /** The value of the header `x-stainless-retry-count`; 0 for the first attempt. */
  readonly attempt: number;
}

/** A token of the answer with its log-probability, as the protocols report it on request. */
export interface TokenLogprob {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly id: number;
  readonly logprob: number;
  readonly top: readonly (TokenChoice & { readonly text: string; readonly bytes: Uint8Array })[];
}

export interface Usage {
  readonly promptTokens: number;
  /** Tokens of the prompt that the engine had in its cache. */
  readonly cachedTokens: number;
  /** The number of sampled tokens, including the end token. */
  readonly completionTokens: number;
  /** The part of `completionTokens` that is reasoning. */
  readonly reasoningTokens: number;
}

export interface CompletionResult {
  readonly output: Message;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  /** The stop string that ended the answer, where one did. */
  readonly stopText: string | undefined;
  readonly usage: Usage;
  /** All of the prompt, and all that were sampled, including the end token. Only where they were asked for. */
  readonly tokenIds?: { readonly prompt: Int32Array; readonly sampled: Int32Array } | undefined;
}

/** `started` comes first, as soon as the prompt is known; `finished` comes last, after the completion was stored. */
export type CompletionEvent =
  | { readonly kind: 'started'; readonly id: string; readonly createdAt: Date; readonly promptTokens: number }
  | OutputEvent
  | { readonly kind: 'tokens'; readonly tokens: readonly TokenLogprob[] }
  | { readonly kind: 'finished'; readonly result: CompletionResult };

/**
 * Executes one completion of a session. Rejects with an `AppError`, before `started` for an invalid request. Leaving
 * the loop or aborting the signal stops the generation, and nothing is recorded.
 */
export type RunCompletion<Session> = (
  session: Session,
  request: CompletionRequest,
  signal: AbortSignal,
) => AsyncIterable<CompletionEvent>;
