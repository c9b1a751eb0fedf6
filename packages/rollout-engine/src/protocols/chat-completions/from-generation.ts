import type { TokenLogprob, CompletionEvent, CompletionResult, Usage } from '../../completions/completion';
import type { AnswerBuilder } from '../model-protocol';
import { toChatMessage } from './chat-message';
import type { ChatCall } from './to-generation';

export interface ChatCompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export function createChatAnswer(call: ChatCall): AnswerBuilder {
  let head: ChatCompletionHead | undefined;
  let result: CompletionResult | undefined;
  const tokens: TokenLogprob[] = [];
  return {
    take: (event: CompletionEvent) => {
      if (event.kind === 'started') head = toHead(event, call);
      else if (event.kind === 'tokens') tokens.push(...event.tokens);
      else if (event.kind === 'finished') result = event.result;
    },
    body: () =>
      head === undefined || result === undefined ? undefined : toChatCompletion(head, result, toLogprobs(call, tokens)),
  };
}

export function toHead(
  { id, createdAt }: { readonly id: string; readonly createdAt: Date },
  { request }: Pick<ChatCall, 'request'>,
): ChatCompletionHead {
  return { id, created: Math.floor(createdAt.getTime() / 1000), model: request.model };
}

/** The completion object of answers and exports. */
export function toChatCompletion(
  head: ChatCompletionHead,
  result: Omit<CompletionResult, 'stopText'>,
  logprobs: unknown,
): Readonly<Record<string, unknown>> {
  const message = { refusal: null, ...toChatMessage(result.output) };
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [{ index: 0, message, logprobs, finish_reason: result.finishReason }],
    usage: toUsage(result.usage),
    system_fingerprint: null,
  };
}

export function toUsage(usage: Usage): Readonly<Record<string, unknown>> {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

/** Returns `null` if none were requested. */
export function toLogprobs({ request }: ChatCall, tokens: readonly TokenLogprob[]): unknown {
  if (request.topLogprobs === undefined) return null;
  return {
    content: tokens.map((token) => ({ ...toWireToken(token), top_logprobs: token.top.map(toWireToken) })),
    refusal: null,
  };
}

function toWireToken({ text, bytes, logprob }: Pick<TokenLogprob, 'text' | 'bytes' | 'logprob'>) {
  return { token: text, logprob, bytes: [...bytes] };
}
