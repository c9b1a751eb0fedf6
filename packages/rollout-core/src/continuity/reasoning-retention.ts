import type { Message } from '../conversation/message';

export const reasoningRetentions = ['all', 'tool_cycle', 'template'] as const;

/**
 * Whether reasoning of earlier answers is retained where the template would omit it. `all`: always, one path per
 * conversation. `tool_cycle`: until the next user message. `template`: never; a new path begins where it is omitted.
 */
export type ReasoningRetention = (typeof reasoningRetentions)[number];

export const defaultReasoningRetention: ReasoningRetention = 'all';

export function keepsReasoning(retention: ReasoningRetention, newMessages: readonly Message[]): boolean {
  if (retention === 'tool_cycle') return newMessages.every((message) => message.role !== 'user');
  return retention === 'all';
}
