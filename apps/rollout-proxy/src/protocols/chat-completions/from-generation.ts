import type { ShownToken, TurnEvent, TurnResult, Usage } from '../../turns/turn';
import type { AnswerBuilder } from '../model-protocol';
import { chatMessageOf } from './chat-message';
import type { ChatCall } from './to-generation';

export interface CompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export function createChatAnswer(call: ChatCall): AnswerBuilder {
  let head: CompletionHead | undefined;
  let result: TurnResult | undefined;
  const tokens: ShownToken[] = [];
  return {
    take: (event: TurnEvent) => {
      if (event.kind === 'started') head = headOf(event, call);
      else if (event.kind === 'tokens') tokens.push(...event.tokens);
      else if (event.kind === 'finished') result = event.result;
    },
    body: () =>
      head === undefined || result === undefined ? undefined : completionOf(head, result, logprobsOf(call, tokens)),
  };
}

export function headOf(
  { id, createdAt }: { readonly id: string; readonly createdAt: Date },
  { turn }: ChatCall,
): CompletionHead {
  return { id, created: Math.floor(createdAt.getTime() / 1000), model: turn.model };
}

/** The completion object, as it is answered and as exports show it. */
export function completionOf(
  head: CompletionHead,
  result: Omit<TurnResult, 'stopText'>,
  logprobs: unknown,
): Readonly<Record<string, unknown>> {
  const message = { refusal: null, ...chatMessageOf(result.output) };
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [{ index: 0, message, logprobs, finish_reason: result.finishReason }],
    usage: usageOf(result.usage),
    system_fingerprint: null,
  };
}

export function usageOf(usage: Usage): Readonly<Record<string, unknown>> {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

/** Null where none were asked for. */
export function logprobsOf({ turn }: ChatCall, tokens: readonly ShownToken[]): unknown {
  if (turn.topLogprobs === undefined) return null;
  return {
    content: tokens.map((token) => ({ ...shown(token), top_logprobs: token.top.map(shown) })),
    refusal: null,
  };
}

function shown({ text, bytes, logprob }: Pick<ShownToken, 'text' | 'bytes' | 'logprob'>) {
  return { token: text, logprob, bytes: [...bytes] };
}
