import type { Message, ToolCall } from '@weir/rollout-core';
import { z } from 'zod';
import { exactJson } from '../exact-json';
import { invalidRequest, notSupported } from '../invalid-request';

const maxBlocks = 8192;

const block = z.looseObject({ type: z.string('must be a string') });
type Block = z.output<typeof block>;

export const blocks = z.union([z.string(), z.array(block).max(maxBlocks)], 'must be a string or a list of blocks');
export type Blocks = z.output<typeof blocks>;

/** Converts a user's blocks: each tool result becomes one message, and so does the text around them. */
export function userMessages(content: Blocks, at: string): readonly Message[] {
  if (typeof content === 'string') return [{ role: 'user', content }];
  if (content.length === 0) throw invalidRequest(at, 'must not be empty.');
  const messages: Message[] = [];
  for (const [index, part] of content.entries()) {
    const path = `${at}[${index}]`;
    const last = messages.at(-1);
    if (part.type === 'tool_result') messages.push(readToolResult(part, path));
    else if (last?.role === 'user')
      messages[messages.length - 1] = { role: 'user', content: last.content + readText(part, path) };
    else messages.push({ role: 'user', content: readText(part, path) });
  }
  return messages;
}

function readToolResult(part: Block, at: string): Message {
  const id = part.tool_use_id;
  if (typeof id !== 'string' || id === '') throw invalidRequest(`${at}.tool_use_id`, 'must be a string.');
  const content = blocks.optional().safeParse(part.content ?? undefined);
  if (!content.success) throw invalidRequest(`${at}.content`, 'must be a string or a list of blocks.');
  return { role: 'tool', content: plainText(content.data ?? '', `${at}.content`), toolCallId: id };
}

/** Whether a tool result is marked as a failure, which prompts cannot express. */
export function hasErrorMark({ content }: { readonly content: Blocks }): boolean {
  return (
    typeof content !== 'string' && content.some(({ type, is_error }) => type === 'tool_result' && is_error === true)
  );
}

export function assistantMessage(content: Blocks, at: string): Message {
  if (typeof content === 'string') return { role: 'assistant', content };
  let text = '';
  let reasoning = '';
  const toolCalls: ToolCall[] = [];
  for (const [index, part] of content.entries()) {
    const path = `${at}[${index}]`;
    if (part.type === 'tool_use') toolCalls.push(readToolUse(part, path));
    else if (part.type === 'thinking') reasoning += fieldText(part, 'thinking', path);
    else text += readText(part, path);
  }
  return {
    role: 'assistant',
    content: text,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

function readToolUse(part: Block, at: string): ToolCall {
  const { input } = part;
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidRequest(`${at}.input`, 'must be an object.');
  return { id: fieldText(part, 'id', at), name: fieldText(part, 'name', at), arguments: exactJson(input) };
}

/** Reads text-only content: the system prompt and tool results. */
export function plainText(content: Blocks, at: string): string {
  if (typeof content === 'string') return content;
  return content.map((part, index) => readText(part, `${at}[${index}]`)).join('');
}

function readText(part: Block, at: string): string {
  if (part.type !== 'text') throw notSupported(`${at}.type`, 'is not a supported kind of block.');
  return fieldText(part, 'text', at);
}

function fieldText(part: Block, name: string, at: string): string {
  const value = part[name];
  if (typeof value !== 'string') throw invalidRequest(`${at}.${name}`, 'must be a string.');
  return value;
}
