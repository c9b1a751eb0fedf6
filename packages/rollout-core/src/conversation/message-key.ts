import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json';
import { exactMatching, type Matching } from './matching-presets';
import type { Message, ToolCall } from './message';
import { withoutVolatileText } from './volatile-text';

/** The parts by which messages are compared, in canonical form. */
export interface MessageParts {
  readonly role: string;
  readonly content: string;
  readonly reasoning: string;
  readonly tool_calls: string;
  readonly tool_call_id: string;
  readonly name: string;
}

/** The order is the one in which differences are reported. */
export const messageParts = ['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'reasoning'] as const;

export type MessagePart = (typeof messageParts)[number];

/** The position of a message in a conversation, as far as its canonical form depends on it. */
export interface MessagePosition {
  /** Ids of the calls of the last answer before the message, with their indexes. */
  readonly calls: ReadonlyMap<string, number>;
  /** Tool results between that answer and the message. */
  readonly results: number;
}

export const firstPosition: MessagePosition = { calls: new Map(), results: 0 };

export function positionAfter(message: Message, position: MessagePosition): MessagePosition {
  if (message.role === 'tool') return { calls: position.calls, results: position.results + 1 };
  if (message.role !== 'assistant') return position;
  const calls = new Map<string, number>();
  message.toolCalls?.forEach(({ id }, index) => {
    if (!calls.has(id)) calls.set(id, index);
  });
  return { calls, results: 0 };
}

/** Takes time linear in the message. */
export function toMessageParts(message: Message, position: MessagePosition, matching: Matching): MessageParts {
  const text = (value: string) => (matching.has('whitespace') ? value.trimEnd() : value);
  const optional = (value: string | undefined) =>
    value === undefined || (value === '' && matching.has('null-fields')) ? '' : `=${value}`;
  const { reasoning } = message;
  return {
    role: message.continues === true ? 'continuation' : message.role,
    content: text(
      matching.has('volatile-headers') ? withoutVolatileText(message.role, message.content) : message.content,
    ),
    reasoning: matching.has('reasoning') || reasoning === undefined ? '' : optional(text(reasoning)),
    tool_calls: callsText(message.toolCalls, matching),
    tool_call_id: matching.has('tool-call-ids') ? toCallNumber(message, position) : optional(message.toolCallId),
    name: optional(message.name),
  };
}

/**
 * The canonical key of a message: two messages have the same key exactly when they are equal under the presets. It is a
 * SHA-256 in base64url, 43 characters long, and takes time linear in the message.
 */
export function messageKey(message: Message, position: MessagePosition, matching: Matching): string {
  return digestText(canonicalText(message, position, matching));
}

/** The input of the canonical key. */
export function canonicalText(message: Message, position: MessagePosition, matching: Matching): string {
  const parts = toMessageParts(message, position, matching);
  // Lengths precede strings, so that no string can imitate the end of another.
  let canonical = '';
  for (const part of messageParts) canonical += `${parts[part].length}:${parts[part]}`;
  return canonical;
}

/** A SHA-256 in base64url. */
export const digestText = (text: string): string => hash('sha256', text, 'base64url');

function callsText(calls: readonly ToolCall[] | undefined, matching: Matching): string {
  if (calls === undefined || (calls.length === 0 && matching.has('null-fields'))) return '';
  let canonical = '=';
  for (const call of calls) {
    const id = matching.has('tool-call-ids') ? '' : call.id;
    const values = matching.has('tool-arguments') ? argumentsText(call.arguments) : `t${call.arguments}`;
    canonical += `${id.length}:${id}${call.name.length}:${call.name}${values.length}:${values}`;
  }
  return canonical;
}

/** Invalid JSON stays text. Missing arguments equal an empty object, as which clients send them back. */
function argumentsText(text: string): string {
  if (text.trim() === '') return 'v{}';
  const canonical = canonicalJson(text);
  return canonical === undefined ? `t${text}` : `v${canonical}`;
}

/** The index of the call that a result belongs to; the result's own index where no call has its id. */
function toCallNumber(message: Message, { calls, results }: MessagePosition): string {
  if (message.role !== 'tool') return '';
  return String(calls.get(message.toolCallId ?? '') ?? results);
}

/** The key of an answer by every field: distinguishes answers that are equal only under presets. */
export const exactKey = (output: Message): string => messageKey(output, firstPosition, exactMatching);
