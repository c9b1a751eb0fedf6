import type { Message, ToolDefinition } from '@weir/rollout-core';
import type { AnswerFormat, ToolChoice, CompletionIdentity, CompletionRequest } from '../../completions/completion';
import type { PromptParts } from '../count-operation';
import { ignoredFields, ignoredWithin, readBody } from '../fields';
import { invalidRequest } from '../invalid-request';
import type { Conversations, ReadCall } from '../model-protocol';
import { orderResults } from '../order-results';
import { readSampling } from '../sampling-fields';
import { checkTools } from '../tool-fields';
import { readItems } from './input-items';
import { countRules, CountRequest, fieldRules, innerRules, logprobsInclude, ResponsesRequest } from './request-schema';

export interface ResponsesCall extends ReadCall {
  /** Echoed in the answer. */
  readonly body: ResponsesRequest;
}

export function readResponsesCall(
  value: unknown,
  identity: CompletionIdentity,
  conversations: Conversations,
): ResponsesCall {
  const body = readBody(ResponsesRequest, value);
  const ignored = listIgnored(body, value);
  const tools = (body.tools ?? []).map(toToolDefinition);
  const toolChoice = readToolChoice(body.tool_choice, tools.length > 0);
  checkTools(tools, toolChoice);
  const format = readAnswerFormat(body.text);
  if (format.kind !== 'text' && tools.length > 0 && toolChoice.kind !== 'none') {
    throw invalidRequest('text.format', 'cannot be combined with tools.', 'parameter_not_supported');
  }
  const request: CompletionRequest = {
    protocol: 'responses',
    model: body.model,
    messages: readMessages(body, conversations),
    tools,
    toolChoice,
    parallelToolCalls: body.parallel_tool_calls ?? true,
    sampling: readSampling(body),
    maxNewTokens: body.max_output_tokens ?? undefined,
    stop: body.stop ?? [],
    topLogprobs: readTopLogprobs(body),
    format,
    templateArguments: body.chat_template_kwargs ?? {},
    // Agents that forbid a vendor to store anything say so in every call; here recording is the purpose of the session.
    isRecorded: true,
    isStreaming: body.stream === true,
    identity,
  };
  return { request, ignored, body };
}

/** Parameters that affect generation only are ignored. */
export function readCount(value: unknown, conversations: Conversations): PromptParts {
  const body = readBody(CountRequest, value);
  ignoredFields(value, countRules);
  return { messages: readMessages(body, conversations), tools: (body.tools ?? []).map(toToolDefinition) };
}

function listIgnored(body: ResponsesRequest, value: unknown): readonly string[] {
  const { tool, text, reasoning } = innerRules;
  return [
    ...ignoredFields(value, fieldRules),
    ...(body.store === false ? ['store'] : []),
    ...(body.include ?? []).filter((name) => name !== logprobsInclude).map((name) => `include.${name}`),
    ...ignoredWithin('text', [body.text], text),
    ...ignoredWithin('reasoning', [body.reasoning], reasoning),
    ...ignoredWithin('tools', body.tools ?? [], tool),
  ];
}

/** Instructions apply to one request: those of the previous answer are not inherited. */
function readMessages(body: CountRequest, conversations: Conversations): readonly Message[] {
  const before = readPrevious(body.previous_response_id ?? undefined, conversations);
  const { input } = body;
  const added: readonly Message[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : readItems(input ?? [], conversations);
  if (before.length + added.length === 0) throw invalidRequest('input', 'must not be empty.');
  const { instructions = '' } = body;
  const messages = orderResults([...before, ...added], 'input');
  if (instructions === null || instructions === '') return messages;
  return [{ role: 'system', content: instructions, isInstructions: true }, ...messages];
}

function readPrevious(id: string | undefined, conversations: Conversations): readonly Message[] {
  if (id === undefined) return [];
  const messages = conversations.findConversation(id);
  if (messages === undefined) {
    throw invalidRequest('previous_response_id', 'names no answer of this session.', 'previous_response_not_found');
  }
  return messages[0]?.isInstructions === true ? messages.slice(1) : messages;
}

function toToolDefinition(tool: NonNullable<ResponsesRequest['tools']>[number]): ToolDefinition {
  return {
    name: tool.name,
    ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
    ...(tool.parameters === null || tool.parameters === undefined ? {} : { parameters: tool.parameters }),
    ...(typeof tool.strict === 'boolean' ? { strict: tool.strict } : {}),
  };
}

function readToolChoice(choice: ResponsesRequest['tool_choice'], hasTools: boolean): ToolChoice {
  if (choice === null || choice === undefined) return { kind: hasTools ? 'auto' : 'none' };
  return typeof choice === 'string' ? { kind: choice } : { kind: 'named', name: choice.name };
}

function readTopLogprobs({ include, top_logprobs: top }: ResponsesRequest): number | undefined {
  if (include?.includes(logprobsInclude) === true) return top ?? 0;
  if (typeof top === 'number' && top > 0) throw invalidRequest('top_logprobs', `needs ${logprobsInclude} in include.`);
  return undefined;
}

function readAnswerFormat(text: ResponsesRequest['text']): AnswerFormat {
  const format = text?.format;
  if (format === null || format === undefined) return { kind: 'text' };
  return format.type === 'json_schema' ? { kind: 'json_schema', schema: format.schema } : { kind: format.type };
}
