import type { Message, ModelFamily, ToolDefinition } from '@weir/rollout-core';

/** The completion that a prompt continues. It had the same tools and template arguments. */
export interface ParentCompletion {
  /** The whole path: prompt and answer, including the last sampled token. */
  readonly tokens: Int32Array;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  /** Whether an answer on the path has reasoning, whose removal the retention `template` detects. */
  readonly hasReasoning: boolean;
  readonly output: Message;
  /** Text of its last tokens that the output does not show: the stop string that ended it. */
  readonly cutText?: string | undefined;
}

export interface PromptInput {
  readonly parent?: ParentCompletion | undefined;
  /** The whole conversation. */
  readonly messages: readonly Message[];
  /** The messages after the parent's answer, a continuation of it first; all messages if there is no parent. */
  readonly newMessages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Further variables of the chat template. */
  readonly templateArguments: Readonly<Record<string, unknown>>;
}

/**
 * The reason why stored tokens were not reused completely. `closer_replaced` reuses all but the last one, which opens a
 * message of another role than the next one; the other reasons reuse none.
 */
export type ForkReason =
  | 'template_not_append_only'
  | 'reasoning_dropped'
  | 'answer_cut_off'
  | 'closer_replaced'
  | 'nothing_new'
  | 'suffix_refused';

export type Continuity =
  | { readonly kind: 'root' }
  | { readonly kind: 'continued' }
  /** The stored tokens could not be reused completely: a new path, which trains nothing twice. */
  | { readonly kind: 'forked'; readonly reason: ForkReason };

export interface PreparedPrompt {
  readonly ids: Int32Array;
  /** `ids[0..inherited)` are the parent's tokens bit for bit: all of them where the path is continued. */
  readonly inherited: number;
  readonly continuity: Continuity;
  /** The generation prompt opens reasoning, so the answer starts inside it. */
  readonly startsInReasoning: boolean;
  /** Tokens that were encoded from text, not reused from the parent. */
  readonly encodedTokens: number;
}

/** Builds the prompt of a completion. */
export interface PromptBuilder {
  readonly family: ModelFamily;
  /** The digest of the chat template, for provenance. */
  readonly templateDigest: string;
  /**
   * Rejects with an `AppError` for an invalid request: `invalid_request` with reason `template_refused`,
   * `template_argument_reserved` or `nested_too_deeply`, `payload_too_large` with reason `too_many_messages`
   * or `context_length_exceeded`.
   */
  build(input: PromptInput): Promise<PreparedPrompt>;
  /** Encodes a finished conversation without a generation prompt, for comparison with a stored path. */
  renderPath(
    messages: readonly Message[],
    tools: readonly ToolDefinition[],
    templateArguments: Readonly<Record<string, unknown>>,
  ): Promise<Int32Array>;
  /** Number of tokens of the conversation with a generation prompt. */
  count(messages: readonly Message[], tools: readonly ToolDefinition[]): Promise<number>;
  stop(): Promise<void>;
}
