import type { Message } from '../conversation/message';

export const reasoningRetentions = ['all', 'tool_cycle', 'template'] as const;

/**
 * Whether thoughts of earlier answers stay in the context where the template would leave them out. `all`: always, one
 * path per conversation. `tool_cycle`: until the user speaks. `template`: never; a new path begins where it cuts.
 */
export type ReasoningRetention = (typeof reasoningRetentions)[number];

export const defaultReasoningRetention: ReasoningRetention = 'all';

export function keepsReasoning(retention: ReasoningRetention, newMessages: readonly Message[]): boolean {
  if (retention === 'tool_cycle') return newMessages.every((message) => message.role !== 'user');
  return retention === 'all';
}
