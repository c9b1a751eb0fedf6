import type { ToolDefinition } from '../conversation/message';

/** What a conversation is rendered with beside its messages; named by a `contextKey`. */
export interface PromptContext {
  readonly tools: readonly ToolDefinition[];
  /** Further variables of the chat template. JSON. */
  readonly templateArguments: Readonly<Record<string, unknown>>;
}

/** In memory, about: keys and texts as UTF-16. */
export const contextBytes = (context: PromptContext): number => JSON.stringify(context).length * 2;
