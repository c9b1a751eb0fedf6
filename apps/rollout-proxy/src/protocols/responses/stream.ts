import type { AppError } from '@weir/errors';
import type { TurnEvent } from '../../turns/turn';
import { openAiError } from '../chat-completions/error-body';
import type { AnswerStream } from '../model-protocol';
import { endOf, failureOf, headOf, inProgress, responseOf, type ResponseHead } from './from-generation';
import { createOutputWriter } from './output-writer';
import type { ResponsesCall } from './to-generation';

/** Numbered events: the response as it begins, each item with its parts and pieces, the whole response at its end. */
export function createResponsesStream(call: ResponsesCall): AnswerStream {
  let number = 0;
  let text = '';
  let head: ResponseHead = { id: '', created_at: 0 };
  const tell = (type: string, fields: Readonly<Record<string, unknown>>): void => {
    text += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number, ...fields })}\n\n`;
    number += 1;
  };
  const told = (): string => {
    const told = text;
    text = '';
    return told;
  };
  const writer = createOutputWriter(tell);
  const tellResponse = (type: string, end: Parameters<typeof responseOf>[2]): void =>
    tell(type, { response: { ...responseOf(call, head, end), output: writer.items } });

  return {
    take: (event: TurnEvent) => {
      if (event.kind === 'started') {
        head = headOf(event);
        writer.start(event.id);
        tellResponse('response.created', inProgress);
        tellResponse('response.in_progress', inProgress);
      } else if (event.kind === 'finished') {
        writer.finish(event.result);
        const end = endOf(event.result);
        tellResponse(`response.${end.status}`, end);
      } else writer.take(event);
      return told();
    },
    // Some clients go by the response, others by the error alone.
    fail: (error: AppError) => {
      tellResponse('response.failed', failureOf(error));
      const { message, code, param } = openAiError(error);
      tell('error', { message, code, param });
      return told();
    },
  };
}
