import type { Interaction, InteractionCache, InteractionDraft, PromptContext } from '@weir/rollout-core';
import type { CompletionRegistry } from './completion-registry';
import type { Recording } from '../engine/port/recording';

/** The session as a completion needs it. */
export interface CompletionSession {
  readonly id: string;
  readonly cache: InteractionCache;
  /** Tokens sampled in all completions of the session. */
  readonly sampledTokens: number;
  readonly completions: CompletionRegistry;
  /** What is kept of its calls, where it differs from the default. */
  readonly recording?: Partial<Recording> | undefined;
  /** The name of the adapter that samples its calls. */
  readonly adapter?: string | undefined;
  /** Throws `conflict` (reason `session_ended`) when the session accepts no more calls. */
  startCompletion(): OpenCompletion;
}

export interface OpenCompletion {
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
  /**
   * Stores the interaction, then adds it to the cache. `promptIds` must equal the prompt that the cache would export;
   * `context` is what `contextKey` is the digest of.
   */
  commit(draft: InteractionDraft, promptIds: Int32Array, context?: PromptContext): Promise<Interaction>;
  /** Called once, whether the completion succeeded or failed. */
  close(): void;
}
