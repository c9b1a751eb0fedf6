import type { Message, ToolCall } from '@weir/rollout-core';
import { z } from 'zod';
import { invalidRequest, notSupported } from '../invalid-request';
import type { Conversations } from '../model-protocol';
import { createAnswerJoiner, type AnswerPiece } from './join-answers';
import { readItemId } from './item-id';

const maxParts = 4096;
const maxIdLength = 256;

/** Unknown fields are accepted: clients send back what other services returned. */
export const InputItem = z.looseObject({ type: z.string('must be a string').nullish() });
export type InputItem = z.output<typeof InputItem>;

const parts = z.array(z.looseObject({ type: z.string() })).max(maxParts);
type Part = z.output<typeof parts>[number];

const roles = { user: 'user', system: 'system', developer: 'system', assistant: 'assistant' } as const;

/**
 * Converts a list of items. The reasoning, text and calls of one answer come back as adjacent items and become one
 * message again.
 */
export function readItems(items: readonly InputItem[], conversations: Conversations): readonly Message[] {
  const joiner = createAnswerJoiner();
  for (const [index, item] of items.entries()) {
    const at = `input[${index}]`;
    const read = readItem(item, at, conversations);
    if ('role' in read) joiner.addMessage(read);
    else joiner.addPiece(read);
  }
  return joiner.messages();
}

function readItem(item: InputItem, at: string, conversations: Conversations): Message | AnswerPiece {
  const responseId = readItemId(item.id)?.responseId;
  switch (readKind(item)) {
    case 'message':
      return readMessage(item, at, responseId);
    case 'function_call':
      return { kind: 'call', call: readCall(item, at), responseId };
    case 'function_call_output':
      return {
        role: 'tool',
        content: readOutput(item.output, `${at}.output`),
        toolCallId: readName(item, 'call_id', at),
      };
    case 'reasoning':
      return { kind: 'reasoning', text: readReasoning(item, at), responseId };
    case 'item_reference':
      return resolveReference(item, at, conversations);
    default:
      throw notSupported(`${at}.type`, 'is not a supported kind of item.');
  }
}

/** The type is optional for messages and references. */
function readKind(item: InputItem): string {
  if (typeof item.type === 'string') return item.type;
  return item.role === undefined && item.id !== undefined ? 'item_reference' : 'message';
}

function readMessage(item: InputItem, at: string, responseId: string | undefined): Message | AnswerPiece {
  const { role } = item;
  if (typeof role !== 'string' || !Object.hasOwn(roles, role)) {
    throw invalidRequest(`${at}.role`, 'must be user, assistant, system or developer.');
  }
  const content = typeof item.content === 'string' ? item.content : readPartsText(item.content, `${at}.content`);
  const known = roles[role as keyof typeof roles];
  return known === 'assistant' ? { kind: 'text', text: content, responseId } : { role: known, content };
}

function readCall(item: InputItem, at: string): ToolCall {
  const { arguments: text } = item;
  if (typeof text !== 'string') throw invalidRequest(`${at}.arguments`, 'must be a string.');
  return { id: readName(item, 'call_id', at), name: readName(item, 'name', at), arguments: text };
}

function readName(item: InputItem, field: string, at: string): string {
  const value = item[field];
  if (typeof value !== 'string' || value === '' || value.length > maxIdLength) {
    throw invalidRequest(`${at}.${field}`, `must be a string of 1 to ${maxIdLength} characters.`);
  }
  return value;
}

function readOutput(output: unknown, at: string): string {
  return typeof output === 'string' ? output : readPartsText(output, at);
}

/** The text, or the summary if there is no text. */
function readReasoning(item: InputItem, at: string): string {
  const text = item.content === null || item.content === undefined ? '' : readPartsText(item.content, `${at}.content`);
  if (text !== '' || item.summary === null || item.summary === undefined) return text;
  return readPartsText(item.summary, `${at}.summary`);
}

const textFields: Readonly<Record<string, string>> = {
  input_text: 'text',
  output_text: 'text',
  text: 'text',
  reasoning_text: 'text',
  summary_text: 'text',
  refusal: 'refusal',
};

function readPartsText(value: unknown, at: string): string {
  const read = parts.safeParse(value);
  if (!read.success) throw invalidRequest(at, 'must be a string or a list of parts with a type.');
  return read.data.map((part, index) => readPartText(part, `${at}[${index}]`)).join('');
}

function readPartText(part: Part, at: string): string {
  const field = Object.hasOwn(textFields, part.type) ? textFields[part.type] : undefined;
  if (field === undefined) throw notSupported(`${at}.type`, 'must be text: nothing else is supported here.');
  const text = part[field];
  if (typeof text !== 'string') throw invalidRequest(`${at}.${field}`, 'must be a string.');
  return text;
}

/**
 * The item of an answer of this session. The texts of an answer are stored as one, which its first text item gets.
 */
function resolveReference(item: InputItem, at: string, conversations: Conversations): AnswerPiece {
  const named = readItemId(item.id);
  const answer = named === undefined ? undefined : conversations.findConversation(named.responseId)?.at(-1);
  if (named === undefined || answer === undefined) throw notFound(at);
  const { responseId, kind, number } = named;
  if (kind === 'message') return { kind: 'text', text: number === 0 ? answer.content : '', responseId };
  if (kind === 'reasoning')
    return { kind: 'reasoning', text: number === 0 ? (answer.reasoning ?? '') : '', responseId };
  const call = answer.toolCalls?.[number];
  if (call === undefined) throw notFound(at);
  return { kind: 'call', call, responseId };
}

function notFound(at: string): Error {
  return invalidRequest(`${at}.id`, 'names no item of an answer of this session.', 'item_not_found');
}
