import type { Message, ToolCall } from '@weir/rollout-core';
import type { CompletionEvent, CompletionResult, Usage } from '../../completions/completion';
import { parseForOutput } from '../exact-json';
import type { AnswerBuilder, ReadCall } from '../model-protocol';
import { sign } from './signature';

export function createMessagesAnswer({ request }: ReadCall): AnswerBuilder {
  let id = '';
  let result: CompletionResult | undefined;
  return {
    take: (event: CompletionEvent) => {
      if (event.kind === 'started') id = event.id;
      else if (event.kind === 'finished') result = event.result;
    },
    body: () => {
      if (result === undefined) return undefined;
      const { output, usage } = result;
      return {
        ...toMessageHead(id, request.model),
        content: toBlocks(output),
        ...toEnding(result),
        usage: toUsage(usage),
      };
    },
  };
}

/** A message without the fields that are known at its end. */
export function toMessageHead(id: string, model: string) {
  return { id, type: 'message', role: 'assistant', model, container: null };
}

/** The fields that are known at the end of a message. */
export function toEnding(result?: CompletionResult) {
  return {
    stop_reason: result === undefined ? null : toStopReason(result),
    stop_sequence: result?.stopText ?? null,
    stop_details: null,
  };
}

function toStopReason({ stopText, finishReason }: CompletionResult): string {
  if (finishReason === 'tool_calls') return 'tool_use';
  if (finishReason === 'length') return 'max_tokens';
  return stopText === undefined ? 'end_turn' : 'stop_sequence';
}

/** Uncached, cached and sampled tokens: together all tokens of the call. */
export function toUsage({ promptTokens, cachedTokens, completionTokens, reasoningTokens }: Usage) {
  return {
    input_tokens: promptTokens - cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
    server_tool_use: null,
  };
}

function toBlocks({ reasoning = '', content, toolCalls = [] }: Message): readonly unknown[] {
  return [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: sign(reasoning) }]),
    ...(content === '' ? [] : [{ type: 'text', text: content, citations: null }]),
    ...toolCalls.map((call) => callBlock(call, parseInput(call))),
  ];
}

export function callBlock({ id, name }: Pick<ToolCall, 'id' | 'name'>, input: unknown) {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } };
}

/** Arguments are an object in this protocol, and the parsers accept no other calls. */
function parseInput(call: ToolCall): unknown {
  return parseForOutput(call.arguments === '' ? '{}' : call.arguments);
}
