import type { TokenLogprob, CompletionEvent } from '../../completions/completion';
import type { AnswerStream } from '../model-protocol';
import { openAiError } from './error-body';
import { toHead, toLogprobs, toUsage, type ChatCompletionHead } from './from-generation';
import type { ChatCall } from './to-generation';

/** Chunks of a completion: the role, every piece as it arrives, the finish reason, and the usage where requested. */
export function createChatStream(call: ChatCall): AnswerStream {
  let head: ChatCompletionHead = { id: '', created: 0, model: call.request.model };
  // Tokens arrive before the pieces of text that they produce, and are sent with the next piece.
  let tokens: TokenLogprob[] = [];
  const takeTokens = (): unknown => {
    const logprobs = toLogprobs(call, tokens);
    tokens = [];
    return logprobs;
  };
  const chunk = (choices: readonly unknown[], usage?: unknown): string =>
    `data: ${JSON.stringify({
      ...head,
      object: 'chat.completion.chunk',
      system_fingerprint: null,
      choices,
      ...(call.includesUsage ? { usage: usage ?? null } : {}),
    })}\n\n`;
  const piece = (delta: unknown, finishReason: string | null = null): string =>
    chunk([{ index: 0, delta, logprobs: takeTokens(), finish_reason: finishReason }]);
  const callPiece = (index: number, more: Readonly<Record<string, unknown>>): string =>
    piece({ tool_calls: [{ index, ...more }] });

  const take = (event: CompletionEvent): string => {
    switch (event.kind) {
      case 'started':
        head = toHead(event, call);
        return piece({ role: 'assistant', content: '', refusal: null });
      case 'tokens':
        tokens.push(...event.tokens);
        return '';
      case 'reasoning':
        return piece({ reasoning_content: event.text });
      case 'text':
        return piece({ content: event.text });
      case 'call_started':
        return callPiece(event.index, {
          id: event.id,
          type: 'function',
          function: { name: event.name, arguments: '' },
        });
      case 'call_arguments':
        return callPiece(event.index, { function: { arguments: event.text } });
      case 'call_ended':
        return '';
      case 'finished': {
        const usage = call.includesUsage ? chunk([], toUsage(event.result.usage)) : '';
        return `${piece({}, event.result.finishReason)}${usage}data: [DONE]\n\n`;
      }
    }
  };
  return { take, fail: (error) => `data: ${JSON.stringify({ error: openAiError(error) })}\n\n` };
}
