import type { CompletionEvent, CompletionResult, TokenLogprob } from '../../completions/completion';
import { toHead, toUsage, type ChatCompletionHead } from '../chat-completions/from-generation';
import { openAiError } from '../chat-completions/error-body';
import type { AnswerBuilder, AnswerStream } from '../model-protocol';
import type { TextCall } from './to-generation';

export function createTextAnswer(call: TextCall): AnswerBuilder {
  let head: ChatCompletionHead | undefined;
  let result: CompletionResult | undefined;
  const logprobs = createLogprobs(call);
  return {
    take: (event) => {
      if (event.kind === 'started') head = toHead(event, call);
      else if (event.kind === 'tokens') logprobs.add(event.tokens);
      else if (event.kind === 'finished') result = event.result;
    },
    body: () =>
      result && {
        ...head,
        object: 'text_completion',
        choices: [toChoice(result.output.content, logprobs.take(), result)],
        usage: toUsage(result.usage),
      },
  };
}

/** Chunks of text as they arrive, one with the reason of the end, and the usage where requested. */
export function createTextStream(call: TextCall): AnswerStream {
  let head: ChatCompletionHead | undefined;
  const logprobs = createLogprobs(call);
  const chunk = (choices: readonly unknown[], usage?: unknown): string =>
    `data: ${JSON.stringify({
      ...head,
      object: 'text_completion',
      choices,
      ...(call.includesUsage ? { usage: usage ?? null } : {}),
    })}\n\n`;
  const take = (event: CompletionEvent): string => {
    switch (event.kind) {
      case 'started':
        head = toHead(event, call);
        return '';
      case 'tokens':
        logprobs.add(event.tokens);
        return '';
      case 'text':
        return chunk([toChoice(event.text, logprobs.take())]);
      case 'finished': {
        const usage = call.includesUsage ? chunk([], toUsage(event.result.usage)) : '';
        return `${chunk([toChoice('', logprobs.take(), event.result)])}${usage}data: [DONE]\n\n`;
      }
      default:
        // A raw answer is not parsed, so it has neither reasoning nor calls.
        return '';
    }
  };
  return { take, fail: (error) => `data: ${JSON.stringify({ error: openAiError(error) })}\n\n` };
}

/** `result` is that of a finished answer. The fields of the ids are those of vLLM. */
function toChoice(text: string, logprobs: unknown, result?: CompletionResult): unknown {
  const ids = result?.tokenIds;
  return {
    index: 0,
    text,
    logprobs,
    finish_reason: result?.finishReason ?? null,
    ...(ids && { token_ids: [...ids.sampled], prompt_token_ids: [...ids.prompt] }),
  };
}

/** Collects tokens; `take` returns those since the last call in the form of the protocol, `null` if not requested. */
function createLogprobs({ request }: TextCall): { add(tokens: readonly TokenLogprob[]): void; take(): unknown } {
  let tokens: TokenLogprob[] = [];
  let offset = 0;
  return {
    add: (more) => void tokens.push(...more),
    take: () => {
      if (request.topLogprobs === undefined) return null;
      const taken = tokens;
      tokens = [];
      return {
        tokens: taken.map(({ text }) => text),
        token_logprobs: taken.map(({ logprob }) => logprob),
        top_logprobs:
          request.topLogprobs === 0
            ? null
            : taken.map(({ top }) => Object.fromEntries(top.map(({ text, logprob }) => [text, logprob]))),
        text_offset: taken.map(({ text }) => {
          const at = offset;
          offset += text.length;
          return at;
        }),
      };
    },
  };
}
