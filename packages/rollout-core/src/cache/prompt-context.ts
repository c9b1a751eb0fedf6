import type { ToolDefinition } from '../conversation/message';

/** What a conversation is rendered with besides its messages. `contextKey` is its digest. */
export interface PromptContext {
  readonly tools: readonly ToolDefinition[];
  /** Further variables of the chat template. JSON. */
  readonly templateArguments: Readonly<Record<string, unknown>>;
}

/** Approximate size in memory: UTF-16. */
export const contextBytes = (context: PromptContext): number => JSON.stringify(context).length * 2;
