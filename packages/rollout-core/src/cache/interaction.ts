import type { Message } from '../conversation/message';
import type { Provenance } from './provenance';
import type { RoutedExperts, SampledTokens } from '../sampled-tokens';

/** How the tokens of an interaction continue those of its parent. */
export interface Continuity {
  /** `root`: there is no parent. `continued`: the prompt begins with the parent's tokens. `forked`: it was encoded from text. */
  readonly kind: 'root' | 'continued' | 'forked';
  /** Why it was forked, as a snake_case word. Counted in reports. */
  readonly reason?: string;
}

/** Token counts as the protocols report them. */
export interface InteractionUsage {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

/** A completed model call, before it is in the cache. */
export interface InteractionDraft {
  /** The completion id, which is unique in the session. */
  readonly id: string;
  /** The result of `attach` at the start of the call; two calls with the same parent become siblings. */
  readonly parent: Interaction | undefined;
  /** The messages of the request after the parent's output; all messages if there is no parent. */
  readonly newMessages: readonly Message[];
  readonly output: Message;
  /** Digest of the tools and the template arguments. */
  readonly contextKey: string;
  /** Prompt tokens after the inherited ones. Retained without a copy, unless it is a view of a larger array. */
  readonly contextIds: Int32Array;
  /** How many tokens of the parent's path the prompt begins with; 0 if it was encoded from text. */
  readonly inheritedTokens: number;
  /** Retained like `contextIds`. */
  readonly sampled: SampledTokens;
  /** Natural logarithms of `contextIds` by the engine, where they were recorded; 0 for the first token of a path. */
  readonly contextLogprobs?: Float32Array;
  /** From the last token that the parent's rows do not cover, or from the first one. Where they were recorded. */
  readonly routedExperts?: RoutedExperts;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  /**
   * The part of the sampled text that the output omits: the stop string that ended the answer, and the rest of its last
   * token. It is set only if the tokens end with it.
   */
  readonly cutText?: string;
  readonly protocol: string;
  readonly model: string;
  readonly createdAt: Date;
  readonly completedAt: Date;
  readonly seed?: number;
  readonly usage: InteractionUsage;
  /** Why the call must not be used for training, as a snake_case word. */
  readonly quarantine?: string;
  readonly continuity: Continuity;
  /** Absent in sessions that were recorded before there was one. */
  readonly provenance?: Provenance;
}

/** A stored model call, which holds only what its parent does not have. It is immutable. */
export interface Interaction extends InteractionDraft {
  /** Position in the session, in order of completion, from 0. */
  readonly index: number;
  /** All messages of the request. Each access assembles them, in time linear in their number. */
  readonly messages: readonly Message[];
  /** Number of messages, including the output. */
  readonly pathMessages: number;
  /** Number of tokens: inherited, context and sampled. */
  readonly pathTokens: number;
  /** Number of interactions whose tokens it continues: 0 for the first of a path. Exported as `turn_ids`. */
  readonly pathPosition: number;
  /** Equal for two interactions of one parent exactly when their requests are equal. */
  readonly inputKey: string;
}
