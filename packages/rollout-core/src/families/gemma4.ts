import type { CallSink } from '../call-text/call-sink';
import { isJson } from '../call-text/coerce-value';
import { peek, readLiteral, readThrough, readUntil, skipSpace } from '../call-text/text-source';
import type { Reader, Reading, TextSource } from '../call-text/text-source';
import { eachTool, repeatedCalls, type CallRules } from '../grammar/call-rules';
import { bracketLayout, createGrammarRules, terminal, type ValueNotation } from '../grammar/grammar-rules';
import { defineFamily } from './model-family';

const maxNameLength = 256;
const maxPlainLength = 1_024;
const maxDepth = 64;
const callOpener = '<|tool_call>';
const callCloser = '<tool_call|>';
const quote = '<|"|>';
const quoteStart = 0x3c;
/** Ends a key or a value without quotes. */
const bareEnds = ':,{}[]<';
const thought = { open: '<|channel>thought\n', close: '<channel|>' } as const;

/**
 * A call is `<|tool_call>call:NAME{key:value,…}<tool_call|>`. Strings are between `<|"|>` marks without escapes, keys
 * have no quotes, other values are as in JSON. The model ends a call with `<|tool_response>`, with which the result in
 * the same turn begins. Source: the chat template of Gemma 4.
 */
export const gemma4 = defineFamily({
  name: 'gemma4',
  models: 'Gemma 4',
  roleMarks: ['<|turn>'],
  // `<|tool_response>` begins the result, so it must not stay where the answer is followed by another message.
  closers: ['<turn|>', '<|tool_response>'],
  closerOpensNextMessage: true,
  endTokens: ['<turn|>', '<|tool_response>'],
  reasoning: {
    ...thought,
    name: 'gemma4',
    aliases: [],
    isUsedBy: (chatTemplate) => chatTemplate.includes('<|channel>'),
    markers: ['<|channel>', thought.close],
    startsInside: false,
  },
  tools: {
    name: 'gemma4',
    aliases: [],
    isUsedBy: (chatTemplate) => chatTemplate.includes(callOpener),
    markers: [callOpener, callCloser, quote],
    createReader: () => ({
      openers: [callOpener],
      bareOpeners: '',
      *readCalls(source, sink) {
        yield* skipSpace(source);
        const begin = yield* readLiteral(source, 'call:');
        if (begin !== 'ok') return begin;
        const name = yield* readUntil(source, (code) => code === 0x7b || code === 0x3c, maxNameLength);
        if (name === undefined || (yield* peek(source)) !== 0x7b || !sink.start(name.trim())) return 'bad';
        const body = yield* readValue(source, sink, 0);
        if (body !== 'ok') return body;
        yield* skipSpace(source);
        if ((yield* readLiteral(source, callCloser)) === 'bad') return 'bad';
        sink.end();
        return 'ok';
      },
    }),
    createGrammar,
  },
});

/** Text without the quote, one rule for each part of it that has been written. */
const textRules = {
  text: String.raw`([^<] text | "<" text1)?`,
  text1: String.raw`("|" text2 | "<" text1 | [^|<] text)?`,
  text2: String.raw`("\"" text3 | "<" text1 | [^"<] text)?`,
  text3: String.raw`("|" text4 | "<" text1 | [^|<] text)?`,
  text4: String.raw`("<" text1 | [^><] text)?`,
} as const;

const bareKey = /^[\w-]+$/;

const notation: ValueNotation = {
  quote,
  rules: {
    gap: '""',
    character: '[^<]',
    ...textRules,
    string: `${terminal(quote)} text ${terminal(quote)}`,
    digits: '"0" | [1-9] [0-9]{0,14}',
    integer: '"-"? digits',
    number: '"-"? digits ("." [0-9]{1,15})?',
    boolean: '"true" | "false"',
    null: '"null"',
    key: '[a-zA-Z_] [a-zA-Z0-9_]{0,63}',
    member: 'key ":" value',
    object: '"{" (member ("," member)*)? "}"',
    array: '"[" (value ("," value)*)? "]"',
    value: 'object | array | string | number | boolean | null',
  },
  ...bracketLayout,
  member: (name) => (bareKey.test(name) ? { before: terminal(`${name}:`), after: '' } : undefined),
  write: writeValue,
};

function writeValue(value: unknown): string {
  if (typeof value === 'string') return quote + value + quote;
  if (Array.isArray(value)) return `[${value.map(writeValue).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, member]) => `${key}:${writeValue(member)}`);
  return `{${members.join(',')}}`;
}

function createGrammar(calls: CallRules): string {
  const own = { ...calls, rules: createGrammarRules({ notation }) };
  const named = eachTool(own, (tool, parameters) => `${terminal(`call:${tool.name}`)} ${parameters}`);
  const call = own.rules.add(`${terminal(callOpener)} ${named} ${terminal(callCloser)}`);
  return own.rules.text(repeatedCalls(own, call, ''));
}

function* readValue(source: TextSource, sink: CallSink, depth: number): Reader<Reading> {
  if (depth > maxDepth) return 'bad';
  yield* skipSpace(source);
  const code = yield* peek(source);
  if (code === 0x7b) return yield* readItems(source, sink, { depth, end: 0x7d, isObject: true });
  if (code === 0x5b) return yield* readItems(source, sink, { depth, end: 0x5d, isObject: false });
  if (code === quoteStart) return yield* readString(source, sink);
  return yield* readPlain(source, sink);
}

interface Items {
  readonly depth: number;
  readonly end: number;
  readonly isObject: boolean;
}

function* readItems(source: TextSource, sink: CallSink, { depth, end, isObject }: Items): Reader<Reading> {
  source.at++;
  if (!sink.write(isObject ? '{' : '[')) return 'bad';
  for (let isFirst = true; ; isFirst = false) {
    yield* skipSpace(source);
    const code = yield* peek(source);
    if (code < 0) return 'cut';
    if (code === end) break;
    if (!isFirst) {
      if (code !== 0x2c) return 'bad';
      source.at++;
      if (!sink.write(', ')) return 'bad';
    }
    const item = isObject ? yield* readMember(source, sink, depth) : yield* readValue(source, sink, depth + 1);
    if (item !== 'ok') return item;
  }
  source.at++;
  return sink.write(isObject ? '}' : ']') ? 'ok' : 'bad';
}

function* readMember(source: TextSource, sink: CallSink, depth: number): Reader<Reading> {
  yield* skipSpace(source);
  const key = yield* readKey(source);
  if (key === undefined) return 'bad';
  yield* skipSpace(source);
  const colon = yield* readLiteral(source, ':');
  if (colon !== 'ok') return colon;
  return sink.write(`${JSON.stringify(key)}: `) ? yield* readValue(source, sink, depth + 1) : 'bad';
}

function* readKey(source: TextSource): Reader<string | undefined> {
  const code = yield* peek(source);
  if (code === quoteStart) {
    const begin = yield* readLiteral(source, quote);
    const read = begin === 'ok' ? yield* readThrough(source, [quote], maxNameLength) : undefined;
    return read === undefined || read.end < 0 ? undefined : read.text;
  }
  const key = yield* readUntil(source, (next) => bareEnds.includes(String.fromCharCode(next)), maxNameLength);
  return key === undefined || key.trim() === '' ? undefined : key.trim();
}

function* readString(source: TextSource, sink: CallSink): Reader<Reading> {
  const begin = yield* readLiteral(source, quote);
  if (begin !== 'ok') return begin;
  const { text, end } = yield* readThrough(source, [quote], sink.remainingLength());
  if (end < 0) return 'bad';
  return sink.write(JSON.stringify(text)) ? 'ok' : 'bad';
}

/** A number or word, or text without quotes. */
function* readPlain(source: TextSource, sink: CallSink): Reader<Reading> {
  const text = yield* readUntil(source, (code) => bareEnds.includes(String.fromCharCode(code)), maxPlainLength);
  if (text === undefined) return 'bad';
  const plain = text.trim();
  if (plain === '') return 'bad';
  // Earlier templates print null as Python does.
  const json = plain === 'None' ? 'null' : plain;
  return sink.write(isJson(json) ? json : JSON.stringify(plain)) ? 'ok' : 'bad';
}
