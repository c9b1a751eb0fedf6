import type { Message, ToolCall } from '../conversation/message';

/** An exchange that is rendered instead of all earlier messages, whose tokens are stored already. */
export interface PlaceholderExchange {
  readonly messages: readonly Message[];
  /** Replaces the answer's text, or an argument of its last call. */
  readonly marker: string;
  /** Replaces the answer's reasoning. */
  readonly reasoningMarker: string;
  readonly hasReasoning: boolean;
  readonly carriesCalls: boolean;
}

export interface PlaceholderInput {
  /** An unguessable word of letters and digits, so that no message contains it. */
  readonly marker: string;
  readonly answer: Message;
  readonly hasReasoning: boolean;
  readonly newMessages: readonly Message[];
}

/** Name of the argument with the marker. */
export const placeholderArgument = 'value';

/**
 * Creates a question and an answer for templates that check the order of messages: where tool results follow, the answer
 * has their calls, with the same ids and names.
 */
export function createPlaceholderExchange({
  marker,
  answer,
  hasReasoning,
  newMessages,
}: PlaceholderInput): PlaceholderExchange {
  const reasoningMarker = `${marker}thought`;
  const calls = newMessages[0]?.role === 'tool' ? findAnsweredCalls(answer, newMessages) : [];
  const reply: Message = {
    role: 'assistant',
    content: calls.length === 0 ? `${marker}answer` : '',
    ...(hasReasoning ? { reasoning: reasoningMarker } : {}),
    ...(calls.length === 0 ? {} : { toolCalls: markLast(calls, marker) }),
  };
  return {
    messages: [{ role: 'user', content: `${marker}question` }, reply],
    marker: `${marker}${calls.length === 0 ? 'answer' : 'argument'}`,
    reasoningMarker,
    hasReasoning,
    carriesCalls: calls.length > 0,
  };
}

function findAnsweredCalls(answer: Message, newMessages: readonly Message[]): readonly ToolCall[] {
  if (answer.toolCalls !== undefined && answer.toolCalls.length > 0) return answer.toolCalls;
  // The parser found no calls, but the client answers some: the template still needs as many calls as results.
  const other = newMessages.findIndex((message) => message.role !== 'tool');
  const results = other < 0 ? newMessages : newMessages.slice(0, other);
  return results.map(({ toolCallId, name }) => ({ id: toolCallId ?? 'call', name: name ?? 'tool', arguments: '{}' }));
}

const markLast = (calls: readonly ToolCall[], marker: string): readonly ToolCall[] =>
  calls.map(({ id, name }, index) => ({
    id,
    name,
    arguments: index === calls.length - 1 ? JSON.stringify({ [placeholderArgument]: `${marker}argument` }) : '{}',
  }));
