import type { Message, ToolDefinition } from '@weir/rollout-core';

/** What the tokens of a turn are continued from. It was made with the same tools and template arguments. */
export interface ParentCompletion {
  /** The whole path: prompt and answer, the last sampled token included. */
  readonly tokens: Int32Array;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  /** Whether an answer on the path holds a thought; under the retention `template` that is what a cut is seen by. */
  readonly hasReasoning: boolean;
  readonly output: Message;
}

export interface PromptInput {
  readonly parent?: ParentCompletion | undefined;
  /** The whole conversation. */
  readonly messages: readonly Message[];
  /** Those of `messages` that come after the parent's answer; the same as `messages` where there is no parent. */
  readonly newMessages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Further variables of the chat template. */
  readonly templateArguments: Readonly<Record<string, unknown>>;
}

/**
 * Why stored tokens were not kept to the end. `closer_replaced` keeps all but the last one, which opens a turn of another
 * role than the one that comes; the other reasons keep none.
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
  /** The stored tokens could not be kept to the end: a new path of its own, which trains nothing twice. */
  | { readonly kind: 'forked'; readonly reason: ForkReason };

export interface PreparedPrompt {
  readonly ids: Int32Array;
  /** `ids[0..inherited)` are the parent's tokens bit for bit: all of them where the turn is continued. */
  readonly inherited: number;
  readonly continuity: Continuity;
  /** The generation prompt ends inside a thought: what comes next is reasoning. */
  readonly startsInReasoning: boolean;
  /** Tokens that came from text this time, not from the parent. */
  readonly encodedTokens: number;
}

/** Makes the ids that a turn is sampled from. */
export interface PromptBuilder {
  /** Digest of the chat template, for provenance. */
  readonly templateDigest: string;
  /**
   * Rejects with an `AppError` for what is wrong with the request: `invalid_request` with reason `template_refused`,
   * `template_argument_reserved` or `nested_too_deeply`, `payload_too_large` with reason `too_many_messages`.
   */
  build(input: PromptInput): Promise<PreparedPrompt>;
  /** A finished conversation as the template has it, without a generation prompt: to compare a stored path with. */
  renderPath(
    messages: readonly Message[],
    tools: readonly ToolDefinition[],
    templateArguments: Readonly<Record<string, unknown>>,
  ): Promise<Int32Array>;
  /** Tokens of the conversation with a generation prompt, as a first turn would be sent. */
  count(messages: readonly Message[], tools: readonly ToolDefinition[]): Promise<number>;
  stop(): Promise<void>;
}
