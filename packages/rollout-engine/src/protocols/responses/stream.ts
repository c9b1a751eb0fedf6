import type { AppError } from '@weir/foundation';
import type { CompletionEvent } from '../../completions/completion';
import { openAiError } from '../chat-completions/error-body';
import type { AnswerStream } from '../model-protocol';
import { toEnd, toFailure, toHead, inProgress, toResponse, type ResponseHead } from './from-generation';
import { createOutputWriter } from './output-writer';
import type { ResponsesCall } from './to-generation';

/** Numbered events: the new response, each item with its parts and pieces, and the complete response. */
export function createResponsesStream(call: ResponsesCall): AnswerStream {
  let number = 0;
  let text = '';
  let head: ResponseHead = { id: '', created_at: 0 };
  const emit = (type: string, fields: Readonly<Record<string, unknown>>): void => {
    text += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number, ...fields })}\n\n`;
    number += 1;
  };
  const takeText = (): string => {
    const taken = text;
    text = '';
    return taken;
  };
  const writer = createOutputWriter(emit);
  const emitResponse = (type: string, end: Parameters<typeof toResponse>[2]): void =>
    emit(type, { response: { ...toResponse(call, head, end), output: writer.items } });

  return {
    take: (event: CompletionEvent) => {
      if (event.kind === 'started') {
        head = toHead(event);
        writer.start(event.id);
        emitResponse('response.created', inProgress);
        emitResponse('response.in_progress', inProgress);
      } else if (event.kind === 'finished') {
        writer.finish(event.result);
        const end = toEnd(event.result);
        emitResponse(`response.${end.status}`, end);
      } else writer.take(event);
      return takeText();
    },
    // Some clients read the response, others only the error.
    fail: (error: AppError) => {
      emitResponse('response.failed', toFailure(error));
      const { message, code, param } = openAiError(error);
      emit('error', { message, code, param });
      return takeText();
    },
  };
}
