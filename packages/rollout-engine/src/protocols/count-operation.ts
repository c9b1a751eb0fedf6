import type { Message, ToolDefinition } from '@weir/rollout-core';
import type { Conversations } from './model-protocol';

/** The parts of a call that form its prompt. */
export interface PromptParts {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
}

/** How a protocol counts the tokens of a prompt. */
export interface CountOperation {
  /** Names the operation in logs. */
  readonly name: string;
  readonly path: string;
  /** Throws `invalid_request` for an invalid or unsupported request. */
  read(body: unknown, conversations: Conversations): PromptParts;
  answer(tokens: number): object;
}
