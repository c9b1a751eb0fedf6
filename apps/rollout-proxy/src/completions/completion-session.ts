import type { Interaction, InteractionCache, InteractionDraft, PromptContext } from '@weir/rollout-core';
import type { CompletionRegistry } from './completion-registry';

/** What a turn needs of the session that it belongs to. */
export interface CompletionSession {
  readonly id: string;
  readonly cache: InteractionCache;
  /** How many tokens its calls have sampled. */
  readonly sampledTokens: number;
  readonly completions: CompletionRegistry;
  /** Throws `conflict` (reason `session_ended`) when the session takes no more calls. */
  startCompletion(): OpenCompletion;
}

export interface OpenCompletion {
  /** Aborted when the session goes away. */
  readonly signal: AbortSignal;
  /** Stores the interaction, then adds it to the cache; `promptIds` must be what the cache would export as its prompt, `context`
   * what its `contextKey` stands for. */
  commit(draft: InteractionDraft, promptIds: Int32Array, context?: PromptContext): Promise<Interaction>;
  /** Called once, however the turn ended. */
  close(): void;
}
