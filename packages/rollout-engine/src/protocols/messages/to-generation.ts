import { AppError } from '@weir/foundation';
import type { Message, ToolDefinition } from '@weir/rollout-core';
import type { AnswerFormat, ToolChoice, CompletionIdentity, CompletionRequest } from '../../completions/completion';
import type { PromptParts } from '../count-operation';
import { ignoredFields, ignoredWithin, readBody } from '../fields';
import { invalidRequest, notSupported } from '../invalid-request';
import type { ReadCall } from '../model-protocol';
import { orderResults } from '../order-results';
import { readSampling } from '../sampling-fields';
import { checkTools } from '../tool-fields';
import { assistantMessage, hasErrorMark, plainText, userMessages } from './content-blocks';
import { countRules, CountRequest, fieldRules, innerRules, MessagesRequest } from './request-schema';

export function readMessagesCall(value: unknown, identity: CompletionIdentity): ReadCall {
  const body = readBody(MessagesRequest, value);
  if (body.thread !== null && body.thread !== undefined) throw noThreads();
  const ignored = [
    ...ignoredFields(value, fieldRules),
    ...ignoredWithin('tools', body.tools ?? [], innerRules.tool),
    ...ignoredWithin('output_config', [body.output_config], innerRules.outputConfig),
    ...(body.messages.some(hasErrorMark) ? ['tool_result.is_error'] : []),
  ];
  if (body.messages.at(-1)?.role === 'assistant') {
    throw notSupported(
      `messages[${body.messages.length - 1}]`,
      'cannot be a partial answer: end with a message of the user.',
    );
  }
  const tools = readTools(body);
  const toolChoice = readToolChoice(body.tool_choice, tools.length > 0);
  checkTools(tools, toolChoice);
  const format = readAnswerFormat(body);
  if (format.kind !== 'text' && tools.length > 0 && toolChoice.kind !== 'none') {
    throw invalidRequest('output_config.format', 'cannot be combined with tools.', 'parameter_not_supported');
  }
  const request: CompletionRequest = {
    protocol: 'messages',
    model: body.model,
    messages: readMessages(body),
    tools,
    toolChoice,
    parallelToolCalls: body.tool_choice?.disable_parallel_tool_use !== true,
    sampling: readSampling(body),
    maxNewTokens: body.max_tokens,
    stop: body.stop_sequences ?? [],
    topLogprobs: undefined,
    format,
    templateArguments: body.chat_template_kwargs ?? {},
    isRecorded: true,
    isStreaming: body.stream === true,
    identity,
  };
  return { request, ignored };
}

/** An error that the SDK's helpers recognise: they then send the whole conversation. */
function noThreads(): AppError {
  return new AppError('invalid_request', 'thread: is not supported here; send the whole conversation.', {
    reason: 'thread_unsupported_request',
    details: { param: 'thread', unsupported: ['thread'] },
  });
}

export function readCount(value: unknown): PromptParts {
  const body = readBody(CountRequest, value);
  ignoredFields(value, countRules);
  return { messages: readMessages(body), tools: readTools(body) };
}

function readMessages({ system, messages }: Pick<CountRequest, 'system' | 'messages'>): readonly Message[] {
  const first = system === null || system === undefined ? '' : plainText(system, 'system');
  const rest = messages.flatMap(({ role, content }, index): readonly Message[] => {
    const at = `messages[${index}].content`;
    if (role === 'system') return [{ role, content: plainText(content, at) }];
    return role === 'user' ? userMessages(content, at) : [assistantMessage(content, at)];
  });
  return orderResults(first === '' ? rest : [{ role: 'system', content: first }, ...rest], 'messages');
}

function readTools({ tools }: Pick<CountRequest, 'tools'>): readonly ToolDefinition[] {
  return (tools ?? []).map((tool) => ({
    name: tool.name,
    ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
    parameters: tool.input_schema,
    ...(typeof tool.strict === 'boolean' ? { strict: tool.strict } : {}),
  }));
}

function readToolChoice(choice: MessagesRequest['tool_choice'], hasTools: boolean): ToolChoice {
  if (choice === null || choice === undefined) return { kind: hasTools ? 'auto' : 'none' };
  if (choice.type === 'tool') return { kind: 'named', name: choice.name ?? '' };
  return { kind: choice.type === 'any' ? 'required' : choice.type };
}

function readAnswerFormat({ output_format: older, output_config: config }: MessagesRequest): AnswerFormat {
  const format = config?.format ?? older;
  return format === null || format === undefined ? { kind: 'text' } : { kind: 'json_schema', schema: format.schema };
}
