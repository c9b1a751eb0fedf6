import { yieldToEventLoop } from '@weir/foundation';
import type { Message, ToolDefinition } from '@weir/rollout-core';
import { findCutPositions } from '../tokenizer/cut-names';
import { maxNamedTokens, tooManyTokenNames } from '../tokenizer/named-token-limit';
import type { NamedTokenPattern } from '../tokenizer/named-tokens';
import { maxNesting, nestedTooDeeply } from './template/nesting';

export interface GuardedNames {
  /** Names of all added tokens. */
  readonly all: NamedTokenPattern;
  /**
   * Names of control tokens only, for the model's own answers: templates search answers for marks such as `</think>`,
   * which are tokens but not control tokens.
   */
  readonly control: NamedTokenPattern;
}

// Noncharacters of Unicode. The first one is escaped as a pair with the second; a pair with the third splits the name
// of a token. So every text, hostile ones too, is restored exactly.
const mark = '\ufdd0';
const markItself = '\ufdd0\ufdd1';
const cut = '\ufdd0\ufdd2';
// A template may render JSON as ASCII.
const pairs = /\ufdd0\ufdd1|\\ufdd0\\ufdd1/g;
// A string must not produce the ASCII forms itself: they are split like a name.
export const markAsAscii = '\\ufdd0';
const cuts = /\ufdd0\ufdd2|\\ufdd0\\ufdd2/;

/** Splits a rendered text into pieces to encode separately, so that no guarded name is read as a token. */
export function splitPieces(rendered: string): readonly string[] {
  // There may be a hundred thousand pieces, and a regular expression takes some ten times as long.
  const hasAscii = rendered.includes(markAsAscii);
  const pieces = rendered.split(hasAscii ? cuts : cut).filter((piece) => piece !== '');
  if (!hasAscii && !rendered.includes(markItself)) return pieces;
  return pieces.map((piece) => piece.replaceAll(pairs, (pair) => pair.slice(0, pair.length / 2)));
}

/** Messages whose strings produce no token by its name. */
export interface GuardedMessages {
  readonly guarded: readonly Message[];
}

export function guardMessages(messages: readonly Message[], names: GuardedNames): GuardedMessages {
  const guard = createGuard();
  return {
    guarded: messages.map((message) => mapStrings(message, (text) => guard.text(text, namesFor(message, names)))),
  };
}

/** A part takes some milliseconds. In characters. */
const partLength = 1_000_000;
/** The cost of a message besides its text, in characters of equal cost. */
const messageCost = 3_000;

/** The same in parts, so that other work of the process comes in between. */
export async function guardManyMessages(messages: readonly Message[], names: GuardedNames): Promise<GuardedMessages> {
  const guard = createGuard();
  const guarded: Message[] = [];
  let part = 0;
  for (const message of messages) {
    const { content, ...fields } = message;
    part += content.length + messageCost;
    if (part > partLength) {
      await yieldToEventLoop();
      part = 0;
    }
    const pattern = namesFor(message, names);
    const guardedContent = await guard.longText(content, pattern);
    guarded.push({ ...mapStrings(fields, (text) => guard.text(text, pattern)), content: guardedContent });
  }
  return { guarded };
}

const namesFor = ({ role }: Message, names: GuardedNames): NamedTokenPattern =>
  role === 'assistant' ? names.control : names.all;

export function guardTools(tools: readonly ToolDefinition[], names: GuardedNames): readonly ToolDefinition[] {
  const guard = createGuard();
  return tools.map((tool) => mapStrings(tool, (text) => guard.text(text, names.all)));
}

export function guardArguments(templateArguments: Readonly<Record<string, unknown>>, names: GuardedNames) {
  const guard = createGuard();
  return mapStrings(templateArguments, (text) => guard.text(text, names.all));
}

interface Guard {
  text(text: string, pattern: NamedTokenPattern): string;
  /** The same in parts. */
  longText(text: string, pattern: NamedTokenPattern): Promise<string>;
}

/** Names that are found in a part. */
const partNames = 8_192;

/** Throws `payload_too_large` as soon as its strings together hold too many names. */
function createGuard(): Guard {
  let left = maxNamedTokens;
  const take = (positions: readonly number[]): readonly number[] => {
    left -= positions.length;
    if (left < 0) throw tooManyTokenNames();
    return positions;
  };
  return {
    text: (text, pattern) => markCuts(text, take(findCutPositions(text, pattern, { limit: left + 1 }))),
    async longText(text, pattern) {
      const positions: number[] = [];
      for (;;) {
        const search = { from: positions.at(-1) ?? 0, limit: Math.min(left + 1, partNames) };
        const found = take(findCutPositions(text, pattern, search));
        positions.push(...found);
        if (found.length < search.limit) return markCuts(text, positions);
        await yieldToEventLoop();
      }
    },
  };
}

function mapStrings<Data>(data: Data, guard: (text: string) => string): Data {
  return mapData(data, guard, 0) as Data;
}

function mapData(data: unknown, guard: (text: string) => string, depth: number): unknown {
  if (typeof data === 'string') return guard(data);
  if (typeof data !== 'object' || data === null) return data;
  if (depth > maxNesting) throw nestedTooDeeply();
  if (Array.isArray(data)) return data.map((item) => mapData(item, guard, depth + 1));
  const entries = Object.entries(data).map(([key, value]) => [guard(key), mapData(value, guard, depth + 1)] as const);
  return Object.fromEntries(entries);
}

function markCuts(text: string, positions: readonly number[]): string {
  const escape = (part: string): string => part.replaceAll(mark, markItself);
  const hasMark = text.includes(mark);
  if (positions.length === 0) return hasMark ? escape(text) : text;
  const parts: string[] = [];
  let start = 0;
  for (const position of [...positions, text.length]) {
    const part = text.slice(start, position);
    parts.push(hasMark ? escape(part) : part);
    start = position;
  }
  return parts.join(cut);
}
