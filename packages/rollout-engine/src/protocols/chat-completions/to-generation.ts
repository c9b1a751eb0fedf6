import type { ToolDefinition } from '@weir/rollout-core';
import type { AnswerFormat, ToolChoice, CompletionIdentity, CompletionRequest } from '../../completions/completion';
import { ignoredFields, ignoredWithin, readBody } from '../fields';
import { invalidRequest } from '../invalid-request';
import type { ReadCall } from '../model-protocol';
import { orderResults } from '../order-results';
import { readSampling } from '../sampling-fields';
import { checkTools } from '../tool-fields';
import { readMessage } from './chat-message';
import { ChatRequest, fieldRules, innerRules } from './request-schema';

export interface ChatCall extends ReadCall {
  readonly includesUsage: boolean;
}

export function readChatCall(value: unknown, identity: CompletionIdentity): ChatCall {
  const body = readBody(ChatRequest, value);
  const ignored = [
    ...ignoredFields(value, fieldRules),
    ...ignoredWithin('tools', body.tools ?? [], innerRules.tool),
    ...ignoredWithin(
      'tools.function',
      (body.tools ?? []).map(({ function: tool }) => tool),
      innerRules.function,
    ),
  ];
  const tools = (body.tools ?? []).map((tool) => toToolDefinition(tool.function));
  const toolChoice = readToolChoice(body.tool_choice, tools.length > 0);
  checkTools(tools, toolChoice);
  const format = readAnswerFormat(body.response_format);
  if (format.kind !== 'text' && tools.length > 0 && toolChoice.kind !== 'none') {
    throw invalidRequest('response_format', 'cannot be combined with tools.', 'parameter_not_supported');
  }
  const request: CompletionRequest = {
    protocol: 'chat-completions',
    model: body.model,
    messages: orderResults(body.messages.map(readMessage), 'messages'),
    tools,
    toolChoice,
    parallelToolCalls: body.parallel_tool_calls ?? true,
    sampling: readSampling(body),
    maxNewTokens: readTokenLimit(body),
    stop: body.stop ?? [],
    topLogprobs: readTopLogprobs(body),
    format,
    templateArguments: body.chat_template_kwargs ?? {},
    isRecorded: body.store !== false,
    isStreaming: body.stream === true,
    identity,
  };
  return { request, ignored, includesUsage: body.stream_options?.include_usage === true };
}

function toToolDefinition(tool: NonNullable<ChatRequest['tools']>[number]['function']): ToolDefinition {
  return {
    name: tool.name,
    ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
    ...(tool.parameters === null || tool.parameters === undefined ? {} : { parameters: tool.parameters }),
    ...(typeof tool.strict === 'boolean' ? { strict: tool.strict } : {}),
  };
}

function readToolChoice(choice: ChatRequest['tool_choice'], hasTools: boolean): ToolChoice {
  if (choice === null || choice === undefined) return { kind: hasTools ? 'auto' : 'none' };
  return typeof choice === 'string' ? { kind: choice } : { kind: 'named', name: choice.function.name };
}

function readTokenLimit({ max_tokens: older, max_completion_tokens: newer }: ChatRequest): number | undefined {
  if (typeof older === 'number' && typeof newer === 'number') {
    throw invalidRequest('max_tokens', 'cannot be combined with max_completion_tokens.');
  }
  return newer ?? older ?? undefined;
}

function readTopLogprobs({ logprobs, top_logprobs: top }: ChatRequest): number | undefined {
  if (logprobs === true) return top ?? 0;
  if (typeof top === 'number') throw invalidRequest('top_logprobs', 'needs logprobs to be true.');
  return undefined;
}

function readAnswerFormat(format: ChatRequest['response_format']): AnswerFormat {
  if (format === null || format === undefined) return { kind: 'text' };
  if (format.type === 'json_schema') return { kind: 'json_schema', schema: format.json_schema.schema };
  return { kind: format.type };
}
