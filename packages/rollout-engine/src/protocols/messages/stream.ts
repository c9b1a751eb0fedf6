import type { CompletionEvent } from '../../completions/completion';
import type { AnswerStream, ReadCall } from '../model-protocol';
import { messagesError } from './error-body';
import { sign } from './signature';
import { callBlock, toEnding, toMessageHead, toUsage } from './from-generation';

export function messagesEvent(type: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

type BlockKind = 'thinking' | 'text' | 'call';

export function createMessagesStream({ request }: ReadCall): AnswerStream {
  let index = -1;
  let open: BlockKind | undefined;
  let thoughts = '';
  const close = (): string => {
    if (open === undefined) return '';
    const signed = open === 'thinking' ? delta({ type: 'signature_delta', signature: sign(thoughts) }) : '';
    open = undefined;
    thoughts = '';
    return signed + messagesEvent('content_block_stop', { index });
  };
  const begin = (kind: BlockKind, block: unknown): string => {
    const closed = close();
    open = kind;
    index += 1;
    return closed + messagesEvent('content_block_start', { index, content_block: block });
  };
  const delta = (fields: unknown): string => messagesEvent('content_block_delta', { index, delta: fields });
  const think = (): string =>
    open === 'thinking' ? '' : begin('thinking', { type: 'thinking', thinking: '', signature: '' });
  const speak = (): string => (open === 'text' ? '' : begin('text', { type: 'text', text: '', citations: null }));

  const take = (event: CompletionEvent): string => {
    switch (event.kind) {
      case 'started': {
        const usage = toUsage({
          promptTokens: event.promptTokens,
          cachedTokens: 0,
          completionTokens: 0,
          reasoningTokens: 0,
        });
        const empty = { content: [], ...toEnding(), usage };
        return messagesEvent('message_start', { message: { ...toMessageHead(event.id, request.model), ...empty } });
      }
      case 'reasoning': {
        const opened = think();
        thoughts += event.text;
        return opened + delta({ type: 'thinking_delta', thinking: event.text });
      }
      case 'text':
        return speak() + delta({ type: 'text_delta', text: event.text });
      case 'call_started':
        return begin('call', callBlock(event, {}));
      case 'call_arguments':
        return delta({ type: 'input_json_delta', partial_json: event.text });
      case 'call_ended':
        return close();
      case 'tokens':
        return '';
      case 'finished': {
        const delta = { ...toEnding(event.result), container: null };
        const usage = toUsage(event.result.usage);
        return close() + messagesEvent('message_delta', { delta, usage }) + messagesEvent('message_stop');
      }
    }
  };
  return {
    take,
    fail: (error, requestId) => `event: error\ndata: ${JSON.stringify(messagesError(error, requestId))}\n\n`,
  };
}
