import type { Message, ToolCall } from '@weir/rollout-core';
import { z } from 'zod';
import { exactJson } from '../exact-json';
import { invalidRequest, notSupported } from '../invalid-request';
import { createCallIds, type CallIds } from './call-ids';

const maxParts = 8192;

const part = z.looseObject({});
type Part = z.output<typeof part>;

export const content = z.looseObject({
  role: z.enum(['user', 'model', 'function', 'tool'], 'must be user or model').nullish(),
  parts: z.array(part, 'must be a list of parts').min(1, 'must not be empty').max(maxParts),
});
export type Content = z.output<typeof content>;

/** The kinds of parts that are read. */
const kinds = ['text', 'functionCall', 'functionResponse'] as const;
type Kind = (typeof kinds)[number];
/** Fields of a part that change nothing in a conversation of text. */
const marks = new Set(['thought', 'thoughtSignature', 'partMetadata']);

interface OpenAnswer {
  content: string;
  reasoning: string;
  readonly toolCalls: ToolCall[];
}

/**
 * Converts contents to messages. Those of the model that follow each other are one answer, as clients store the chunks
 * of a stream; of the others, each result becomes one message, and so does the text around it.
 */
export function readContents(contents: readonly Content[]): readonly Message[] {
  const messages: Message[] = [];
  const ids = createCallIds();
  let answer: OpenAnswer | undefined;
  const close = (): void => {
    if (answer !== undefined) messages.push(toAnswer(answer));
    answer = undefined;
  };
  for (const [index, { role, parts }] of contents.entries()) {
    const at = `contents[${index}].parts`;
    if (role === 'model') {
      if (answer === undefined) ids.startAnswer();
      answer ??= { content: '', reasoning: '', toolCalls: [] };
      for (const [partIndex, given] of parts.entries()) addToAnswer(answer, given, `${at}[${partIndex}]`, ids);
    } else {
      close();
      messages.push(...userMessages(parts, at, ids));
    }
  }
  close();
  return messages;
}

function addToAnswer(answer: OpenAnswer, given: Part, at: string, ids: CallIds): void {
  const kind = kindOf(given, at);
  if (kind === 'functionResponse') throw invalidRequest(`${at}.functionResponse`, 'cannot be part of an answer.');
  if (kind === 'functionCall') answer.toolCalls.push(readCall(given, `${at}.functionCall`, ids));
  else if (given.thought === true) answer.reasoning += readText(given, at);
  else answer.content += readText(given, at);
}

function toAnswer({ content: text, reasoning, toolCalls }: OpenAnswer): Message {
  return {
    role: 'assistant',
    content: text,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

function userMessages(parts: readonly Part[], at: string, ids: CallIds): readonly Message[] {
  const messages: Message[] = [];
  let text: string | undefined;
  const close = (): void => {
    if (text !== undefined) messages.push({ role: 'user', content: text });
    text = undefined;
  };
  for (const [index, given] of parts.entries()) {
    const path = `${at}[${index}]`;
    const kind = kindOf(given, path);
    if (kind === 'functionCall') throw invalidRequest(`${path}.functionCall`, 'can only be part of an answer.');
    if (given.thought === true) throw invalidRequest(`${path}.thought`, 'can only be part of an answer.');
    if (kind === 'text') text = (text ?? '') + readText(given, path);
    else {
      close();
      messages.push(readResult(given, `${path}.functionResponse`, ids));
    }
  }
  close();
  return messages;
}

/** The text of contents that can hold nothing else. */
export function plainText({ parts }: Content, at: string): string {
  return parts
    .map((given, index) => {
      const path = `${at}.parts[${index}]`;
      const kind = kindOf(given, path);
      if (kind !== 'text') throw invalidRequest(`${path}.${kind}`, 'cannot be here: only text can.');
      return readText(given, path);
    })
    .join('');
}

function kindOf(given: Part, at: string): Kind {
  const names = Object.keys(given).filter((name) => given[name] !== null && given[name] !== undefined);
  const other = names.find((name) => !marks.has(name) && !isKind(name));
  if (other !== undefined) throw notSupported(`${at}.${other}`.slice(0, 200), 'is not a supported kind of part.');
  const [kind, ...more] = names.filter(isKind);
  if (kind === undefined || more.length > 0) {
    throw invalidRequest(at, 'must have one of text, functionCall and functionResponse.');
  }
  return kind;
}

const isKind = (name: string): name is Kind => (kinds as readonly string[]).includes(name);

function readText({ text }: Part, at: string): string {
  if (typeof text !== 'string') throw invalidRequest(`${at}.text`, 'must be a string.');
  return text;
}

function readCall({ functionCall }: Part, at: string, ids: CallIds): ToolCall {
  const { name, args, id } = readFields(functionCall, callFields, at);
  return { id: ids.call(name, id), name, arguments: exactJson(args) };
}

function readResult({ functionResponse }: Part, at: string, ids: CallIds): Message {
  const { name, response, id } = readFields(functionResponse, resultFields, at);
  const toolCallId = ids.result(name, id);
  if (toolCallId === undefined) throw invalidRequest(at, 'answers no call of this name; send its id.');
  return { role: 'tool', content: resultText(response), toolCallId, name };
}

/** A result that is a text, under the names that clients give it, and otherwise its JSON. */
function resultText(response: Readonly<Record<string, unknown>>): string {
  const [[key, value] = [], ...more] = Object.entries(response);
  if (more.length === 0 && (key === 'output' || key === 'result') && typeof value === 'string') return value;
  return exactJson(response);
}

const callFields = { value: 'args', isNeeded: false } as const;
const resultFields = { value: 'response', isNeeded: true } as const;
const maxIdLength = 256;
const maxNameLength = 128;

interface Fields {
  readonly id: string | undefined;
  readonly name: string;
}

/** Not by a schema: copies of objects lose digits of their numbers. */
function readFields<Value extends string>(
  given: unknown,
  { value, isNeeded }: { readonly value: Value; readonly isNeeded: boolean },
  at: string,
): Fields & Readonly<Record<Value, Readonly<Record<string, unknown>>>> {
  if (!isObject(given)) throw invalidRequest(at, 'must be an object.');
  const { id = null, name } = given;
  const other = Object.keys(given).find((key) => !['id', 'name', value].includes(key) && given[key] !== null);
  if (other !== undefined) throw notSupported(`${at}.${other}`.slice(0, 200));
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength) {
    throw invalidRequest(`${at}.name`, `must be a string of 1 to ${maxNameLength} characters.`);
  }
  if (id !== null && (typeof id !== 'string' || id.length > maxIdLength)) {
    throw invalidRequest(`${at}.id`, `must be a string of at most ${maxIdLength} characters.`);
  }
  const object = given[value] ?? (isNeeded ? undefined : {});
  if (!isObject(object)) throw invalidRequest(`${at}.${value}`, 'must be an object.');
  return { id: id === null || id === '' ? undefined : id, name, [value]: object } as Fields &
    Record<Value, Readonly<Record<string, unknown>>>;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
