import type { CompletionEvent, CompletionResult, TokenLogprob } from '../../completions/completion';
import type { AnswerStream } from '../model-protocol';
import { generateContentError } from './error-body';
import { callPart, textPart, thoughtPart, toResponse } from './from-generation';
import type { GenerateContentCall } from './to-generation';

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly pieces: string[];
}

/** Chunks of an answer: text and thoughts as they arrive, calls whole, and last the reason of the end with the usage. */
export function createGenerateContentStream(call: GenerateContentCall): AnswerStream {
  let id = '';
  let open: OpenCall | undefined;
  // Tokens arrive before the parts that they produce, and are sent with the next part.
  let tokens: TokenLogprob[] = [];
  const chunk = (parts: readonly Readonly<Record<string, unknown>>[], result?: CompletionResult): string => {
    const response = toResponse(call, { id, parts, tokens, ...(result === undefined ? {} : { result }) });
    tokens = [];
    return `data: ${JSON.stringify(response)}\n\n`;
  };

  const take = (event: CompletionEvent): string => {
    switch (event.kind) {
      case 'started':
        id = event.id;
        return '';
      case 'tokens':
        if (call.request.topLogprobs !== undefined) tokens.push(...event.tokens);
        return '';
      case 'reasoning':
        return call.includesThoughts ? chunk([thoughtPart(event.text)]) : '';
      case 'text':
        return chunk([textPart(event.text)]);
      case 'call_started':
        open = { id: event.id, name: event.name, pieces: [] };
        return '';
      case 'call_arguments':
        open?.pieces.push(event.text);
        return '';
      case 'call_ended': {
        const ended = open;
        open = undefined;
        if (ended === undefined) return '';
        return chunk([callPart({ id: ended.id, name: ended.name, arguments: ended.pieces.join('') })]);
      }
      case 'finished':
        return chunk([], event.result);
    }
  };
  return {
    take,
    fail: (error, requestId) => `data: ${JSON.stringify(generateContentError(error, requestId))}\n\n`,
  };
}
