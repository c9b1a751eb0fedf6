import type { Message, ToolCall } from '../conversation/message';
import type { OutputEvent } from './output-event';

/** Builds the assistant message of a parser's events. `reasoning` and `toolCalls` are omitted when empty. */
export function collectOutput(events: Iterable<OutputEvent>): Message {
  const content: string[] = [];
  const reasoning: string[] = [];
  const calls: { readonly id: string; readonly name: string; readonly pieces: string[] }[] = [];
  for (const event of events) {
    switch (event.kind) {
      case 'text':
        content.push(event.text);
        break;
      case 'reasoning':
        reasoning.push(event.text);
        break;
      case 'call_started':
        calls.push({ id: event.id, name: event.name, pieces: [] });
        break;
      case 'call_arguments':
        calls[event.index]?.pieces.push(event.text);
        break;
      case 'call_ended':
        break;
    }
  }
  const toolCalls: readonly ToolCall[] = calls.map(({ id, name, pieces }) => ({
    id,
    name,
    arguments: pieces.join(''),
  }));
  return {
    role: 'assistant',
    content: content.join(''),
    ...(reasoning.length > 0 && { reasoning: reasoning.join('') }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}
