import type { Message, OutputEvent, ToolDefinition } from '@weir/rollout-core';
import type { SamplingParameters, TokenChoice } from '../engine/inference-engine';

export type Protocol = 'chat-completions' | 'responses' | 'messages';

export type ToolChoice =
  { readonly kind: 'auto' | 'none' | 'required' } | { readonly kind: 'named'; readonly name: string };

/** What the answer has to look like. */
export type AnswerFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json_object' }
  | { readonly kind: 'json_schema'; readonly schema: Readonly<Record<string, unknown>> };

/** A call of the model in the words of no protocol. A protocol folder makes it, and turns the events into its answer. */
export interface CompletionRequest {
  readonly protocol: Protocol;
  /** The name that the client asked for, and is answered with. */
  readonly model: string;
  /** At least one. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly sampling: SamplingParameters;
  /** What is left out is bounded by the limits of the service. */
  readonly maxNewTokens: number | undefined;
  readonly stop: readonly string[];
  /** `undefined`: no log-probabilities in the answer; else the number of likeliest tokens beside each one. */
  readonly topLogprobs: number | undefined;
  readonly format: AnswerFormat;
  /** Further variables of the chat template. */
  readonly templateArguments: Readonly<Record<string, unknown>>;
  /** `false`: answered, and not recorded. */
  readonly isRecorded: boolean;
  readonly isStreaming: boolean;
  readonly identity: CompletionIdentity;
}

/**
 * What a repeated call is recognised by. A call with the key of another one, or one that its SDK marks as a retry and
 * whose body has the same digest, is answered with the turn that is under way or was the last of its kind.
 */
export interface CompletionIdentity {
  /** Of the header `Idempotency-Key`. */
  readonly key: string | undefined;
  /** SHA-256 of the body's bytes, in hex. */
  readonly bodyDigest: string;
  /** Of the header `x-stainless-retry-count`; 0 for the first attempt. */
  readonly attempt: number;
}

/** A token of the answer, as the protocols show it on request. */
export interface TokenLogprob {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly id: number;
  readonly logprob: number;
  readonly top: readonly (TokenChoice & { readonly text: string; readonly bytes: Uint8Array })[];
}

export interface Usage {
  readonly promptTokens: number;
  /** Those of the prompt that did not have to be encoded again or that the engine had in its cache. */
  readonly cachedTokens: number;
  /** All sampled tokens, the end token among them. */
  readonly completionTokens: number;
  /** Those of `completionTokens` that were thought. */
  readonly reasoningTokens: number;
}

export interface CompletionResult {
  readonly output: Message;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  /** The stop text that ended the answer, where one did. */
  readonly stopText: string | undefined;
  readonly usage: Usage;
}

/** `started` comes first and once, as soon as the prompt is known; `finished` last and once, after the turn was stored. */
export type CompletionEvent =
  | { readonly kind: 'started'; readonly id: string; readonly createdAt: Date; readonly promptTokens: number }
  | OutputEvent
  | { readonly kind: 'tokens'; readonly tokens: readonly TokenLogprob[] }
  | { readonly kind: 'finished'; readonly result: CompletionResult };

/**
 * Carries out one turn of a session. Rejects with an `AppError`, before `started` for everything that is wrong with
 * the request. Leaving the loop or aborting the signal ends the generation, and nothing is recorded.
 */
export type RunCompletion<Session> = (
  session: Session,
  request: CompletionRequest,
  signal: AbortSignal,
) => AsyncIterable<CompletionEvent>;
