import type { ToolDefinition } from '../conversation/message';

/** The input of a prompt besides its messages. `contextKey` is its digest. */
export interface PromptContext {
  readonly tools: readonly ToolDefinition[];
  /** Further variables of the chat template. JSON. */
  readonly templateArguments: Readonly<Record<string, unknown>>;
}

/** The approximate size in memory, counted as UTF-16. */
export const contextBytes = (context: PromptContext): number => JSON.stringify(context).length * 2;
