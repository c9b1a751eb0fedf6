import type { Message } from '../conversation/message';
import type { SampledTokens } from '../sampled-tokens';

/** How the tokens of a call go on from those of its parent. */
export interface Continuity {
  /** `root`: there is no parent. `continued`: the parent's tokens go on. `forked`: the prompt was encoded anew. */
  readonly kind: 'root' | 'continued' | 'forked';
  /** Why it was forked, as a snake_case word. Counted in reports. */
  readonly reason?: string;
}

/** Tokens of a call as the protocols report them. */
export interface InteractionUsage {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

/** A completed call of the model, as it is told to the cache. */
export interface InteractionDraft {
  /** The completion id. Unique in the session. */
  readonly id: string;
  /** As `attach` gave it when the call began; two calls from one place become siblings. */
  readonly parent: Interaction | undefined;
  /** Messages of the request after the parent's messages and output. All of them where there is no parent. */
  readonly newMessages: readonly Message[];
  readonly output: Message;
  /** Digest of the tools and the template arguments. */
  readonly contextKey: string;
  /** Prompt tokens after the inherited ones. Kept, not copied, unless it is a view on a larger array. */
  readonly contextIds: Int32Array;
  /** How many tokens of the parent's path the prompt begins with; 0 where it was encoded anew. */
  readonly inheritedTokens: number;
  /** Kept as `contextIds` is. */
  readonly sampled: SampledTokens;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  readonly protocol: string;
  readonly model: string;
  readonly createdAt: Date;
  readonly completedAt: Date;
  readonly seed?: number;
  readonly usage: InteractionUsage;
  /** Why the call must not be trained on, as a snake_case word. */
  readonly quarantine?: string;
  readonly continuity: Continuity;
}

/** A completed call of the model. Only what the parent does not hold is stored; nothing of it ever changes. */
export interface Interaction extends InteractionDraft {
  /** Number of the interaction in its session, in order of completion, from 0. */
  readonly index: number;
  /** All messages of the request, put together anew on every access: linear in their number. */
  readonly messages: readonly Message[];
  /** Messages up to and with the output. */
  readonly pathMessages: number;
  /** Tokens up to and with the sampled ones: inherited, context and sampled. */
  readonly pathTokens: number;
  /** Number of the call in the row of tokens that it goes on with, from 0. */
  readonly pathPosition: number;
  /** Equal for two calls of one parent exactly when they were asked the same. */
  readonly inputKey: string;
}
