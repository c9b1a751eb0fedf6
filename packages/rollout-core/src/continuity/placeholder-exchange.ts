import type { Message, ToolCall } from '../conversation/message';

/** An exchange that is rendered in place of everything that came before, because its tokens are stored already. */
export interface PlaceholderExchange {
  readonly messages: readonly Message[];
  /** Stands for the answer's text, or for an argument of its last call. */
  readonly marker: string;
  /** Stands for the answer's thought. */
  readonly reasoningMarker: string;
  readonly carriesCalls: boolean;
}

export interface PlaceholderInput {
  /** A word that no client can guess, so that none can put it in a message. Letters and digits only. */
  readonly marker: string;
  readonly answer: Message;
  readonly hasReasoning: boolean;
  readonly newMessages: readonly Message[];
}

/** Name of the argument that carries the marker. */
export const placeholderArgument = 'value';

/**
 * A question and an answer for a template that checks what follows what: where results of tools come next, the answer
 * makes those calls, with their own ids and names.
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
    carriesCalls: calls.length > 0,
  };
}

function findAnsweredCalls(answer: Message, newMessages: readonly Message[]): readonly ToolCall[] {
  if (answer.toolCalls !== undefined && answer.toolCalls.length > 0) return answer.toolCalls;
  // The parser saw no calls, yet the client answers some: the template still has to be shown as many as it answers.
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
