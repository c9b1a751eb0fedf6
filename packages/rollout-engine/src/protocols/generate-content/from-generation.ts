import type { Message, ToolCall } from '@weir/rollout-core';
import type { CompletionEvent, CompletionResult, TokenLogprob, Usage } from '../../completions/completion';
import { parseForOutput } from '../exact-json';
import type { AnswerBuilder } from '../model-protocol';
import type { GenerateContentCall } from './to-generation';

type Part = Readonly<Record<string, unknown>>;

export function createGenerateContentAnswer(call: GenerateContentCall): AnswerBuilder {
  let id = '';
  let result: CompletionResult | undefined;
  const tokens: TokenLogprob[] = [];
  return {
    take: (event: CompletionEvent) => {
      if (event.kind === 'started') id = event.id;
      else if (event.kind === 'tokens') tokens.push(...event.tokens);
      else if (event.kind === 'finished') result = event.result;
    },
    body: () =>
      result === undefined ? undefined : toResponse(call, { id, parts: toParts(call, result.output), tokens, result }),
  };
}

interface ResponseParts {
  readonly id: string;
  readonly parts: readonly Part[];
  readonly tokens: readonly TokenLogprob[];
  /** Missing in the chunks before the last. */
  readonly result?: CompletionResult;
}

/** A whole answer, or a chunk of one. Clients drop contents without a part from their history. */
export function toResponse({ request }: GenerateContentCall, { id, parts, tokens, result }: ResponseParts) {
  const candidate = {
    content: { role: 'model', parts: parts.length === 0 ? [{ text: '' }] : parts },
    ...(result === undefined ? {} : { finishReason: result.finishReason === 'length' ? 'MAX_TOKENS' : 'STOP' }),
    index: 0,
    ...(request.topLogprobs === undefined || tokens.length === 0 ? {} : { logprobsResult: toLogprobs(tokens) }),
  };
  return {
    candidates: [candidate],
    ...(result === undefined ? {} : { usageMetadata: toUsage(result.usage) }),
    modelVersion: request.model,
    responseId: id,
  };
}

export const textPart = (text: string): Part => ({ text });
export const thoughtPart = (text: string): Part => ({ text, thought: true });

/** Arguments are an object in this protocol, and the parsers accept no other calls. */
export function callPart({ id, name, arguments: json }: ToolCall): Part {
  return { functionCall: { id, name, args: parseForOutput(json === '' ? '{}' : json) } };
}

function toParts({ includesThoughts }: GenerateContentCall, { reasoning = '', content, toolCalls = [] }: Message) {
  return [
    ...(includesThoughts && reasoning !== '' ? [thoughtPart(reasoning)] : []),
    ...(content === '' ? [] : [textPart(content)]),
    ...toolCalls.map(callPart),
  ];
}

/** Candidates and thoughts together are all sampled tokens. */
function toUsage({ promptTokens, cachedTokens, completionTokens, reasoningTokens }: Usage) {
  return {
    promptTokenCount: promptTokens,
    cachedContentTokenCount: cachedTokens,
    candidatesTokenCount: completionTokens - reasoningTokens,
    thoughtsTokenCount: reasoningTokens,
    totalTokenCount: promptTokens + completionTokens,
  };
}

function toLogprobs(tokens: readonly TokenLogprob[]) {
  return {
    topCandidates: tokens.map(({ top }) => ({ candidates: top.map(toWireToken) })),
    chosenCandidates: tokens.map(toWireToken),
  };
}

function toWireToken({ text, id, logprob }: Pick<TokenLogprob, 'text' | 'id' | 'logprob'>) {
  return { token: text, tokenId: id, logProbability: logprob };
}
