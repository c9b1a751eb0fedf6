import type { Message, ToolCall } from '@weir/rollout-core';
import { z } from 'zod';
import { invalidRequest, notSupported } from '../invalid-request';

const maxParts = 4096;

const textPart = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(textPart).max(maxParts)]).nullish();
const toolCall = z.looseObject({
  id: z.string().max(256),
  type: z.string().optional(),
  function: z.looseObject({ name: z.string().max(128), arguments: z.string() }),
});

/** Unknown fields are accepted: clients send back what other services returned. */
export const ChatMessage = z.looseObject({
  role: z.string(),
  content,
  name: z.string().max(128).nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().max(256).nullish(),
});
export type ChatMessage = z.output<typeof ChatMessage>;

const roles = { system: 'system', developer: 'system', user: 'user', assistant: 'assistant', tool: 'tool' } as const;

/** Converts a message of the protocol. */
export function readMessage(message: ChatMessage, index: number): Message {
  const at = `messages[${index}]`;
  if (!Object.hasOwn(roles, message.role)) {
    throw invalidRequest(`${at}.role`, 'must be system, developer, user, assistant or tool.');
  }
  const role = roles[message.role as keyof typeof roles];
  const calls = message.tool_calls ?? [];
  const text = readText(message.content, `${at}.content`);
  if (role !== 'assistant' && message.content === undefined) throw invalidRequest(`${at}.content`, 'is missing.');
  if (role !== 'assistant' && calls.length > 0)
    throw invalidRequest(`${at}.tool_calls`, 'are allowed only for the assistant.');
  if (role === 'tool' && (message.tool_call_id ?? '') === '') throw invalidRequest(`${at}.tool_call_id`, 'is missing.');
  for (const field of ['audio', 'function_call'] as const) {
    if ((message[field] ?? null) !== null) throw notSupported(`${at}.${field}`);
  }
  const reasoning = message.reasoning_content ?? message.reasoning ?? '';
  return {
    role,
    content: text === '' && typeof message.refusal === 'string' ? message.refusal : text,
    ...(role === 'assistant' && reasoning !== '' ? { reasoning } : {}),
    ...(calls.length === 0
      ? {}
      : { toolCalls: calls.map((call, callIndex) => readCall(call, `${at}.tool_calls[${callIndex}]`)) }),
    ...(role === 'tool' ? { toolCallId: message.tool_call_id ?? '' } : {}),
    ...(typeof message.name === 'string' ? { name: message.name } : {}),
  };
}

function readCall(call: z.output<typeof toolCall>, at: string): ToolCall {
  if (call.type !== undefined && call.type !== 'function')
    throw notSupported(`${at}.type`, 'other than function is not supported here.');
  return { id: call.id, name: call.function.name, arguments: call.function.arguments };
}

function readText(value: ChatMessage['content'], at: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return value.map((part, index) => readPartText(part, `${at}[${index}]`)).join('');
}

function readPartText(part: z.output<typeof textPart>, at: string): string {
  const field = part.type === 'refusal' ? 'refusal' : 'text';
  if (part.type !== 'text' && part.type !== 'refusal') {
    throw notSupported(`${at}.type`, 'must be text: nothing else is supported here.');
  }
  const text = part[field];
  if (typeof text !== 'string') throw invalidRequest(`${at}.${field}`, 'must be a string.');
  return text;
}

/** Converts a message to the protocol's form, which exports use too. */
export function toChatMessage(message: Message): Readonly<Record<string, unknown>> {
  const calls = message.toolCalls ?? [];
  return {
    role: message.role,
    content: message.content === '' && calls.length > 0 ? null : message.content,
    ...(message.reasoning === undefined || message.reasoning === '' ? {} : { reasoning_content: message.reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
    ...(message.toolCallId === undefined ? {} : { tool_call_id: message.toolCallId }),
    ...(message.name === undefined ? {} : { name: message.name }),
  };
}
