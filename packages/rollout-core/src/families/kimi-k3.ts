import { createArgumentWriter } from '../call-text/argument-writer';
import { readArguments } from '../call-text/call-object';
import type { CallSink } from '../call-text/call-sink';
import { isJson } from '../call-text/coerce-value';
import { readTaggedValue } from '../call-text/tagged-value';
import { passThrough, readChoice, readLiteral, readThrough } from '../call-text/text-source';
import type { Reader, Reading, TextSource } from '../call-text/text-source';
import { repeatedCalls, type CallRules } from '../grammar/call-rules';
import { terminal } from '../grammar/grammar-rules';
import { parametersRule } from '../grammar/xml-call-grammar';
import { defineFamily, type AnswerSink } from './model-family';

const maxHeaderLength = 512;
const separator = '<|sep|>';
const openTag = (tag: string): string => `<|open|>${tag}${separator}`;
const closeTag = (tag: string): string => `<|close|>${tag}${separator}`;
const thought = { open: openTag('think'), close: closeTag('think') } as const;
const text = { open: openTag('response'), close: closeTag('response') } as const;
const calls = { open: openTag('tools'), close: closeTag('tools') } as const;
const messageClose = closeTag('message');
const call = { open: '<|open|>call tool="', close: closeTag('call') } as const;
const argument = { open: '<|open|>argument key="', close: closeTag('argument') } as const;
const json = { open: '<|open|>json', close: closeTag('json') } as const;
const roleMark = '<|end_of_msg|>';

/**
 * An answer has elements `think`, `response` and `tools`, each `<|open|>TAG<|sep|>…<|close|>TAG<|sep|>`. A call is an
 * element `call` with the attributes `tool` and `index`, and for each argument an element `argument` with `key` and
 * `type`: strings as they are, other values as JSON; or one element `json` for all of them. The prompt opens the first
 * element. Source: the chat template of Kimi K3 in llama.cpp, and SGLang's notes on the format.
 */
export const kimiK3 = defineFamily({
  name: 'kimi-k3',
  models: 'Kimi K3',
  roleMarks: [roleMark, '<|open|>', '<|close|>', separator],
  closers: [roleMark],
  answerEnd: text.close + messageClose,
  endTokens: [roleMark],
  reasoning: {
    ...thought,
    name: 'kimi-k3',
    aliases: ['kimi_k3'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(roleMark),
    markers: ['<|open|>', '<|close|>', separator],
    startsInside: true,
    readAnswer,
  },
  tools: {
    name: 'kimi-k3',
    aliases: ['kimi_k3'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(roleMark),
    markers: ['<|open|>', '<|close|>', separator],
    createReader: () => ({
      openers: [calls.open],
      bareOpeners: '',
      *readCalls(source, sink) {
        for (let count = 0; ; count++) {
          const { index, read } = yield* readChoice(source, [call.open, calls.close]);
          if (index === 1 && count > 0) return (yield* readLiteral(source, messageClose)) === 'bad' ? 'bad' : 'ok';
          if (index !== 0) return count > 0 && read === '' ? 'ok' : 'bad';
          const reading = yield* readCall(source, sink);
          if (reading !== 'ok') return reading;
        }
      },
    }),
    createGrammar,
  },
});

/** Calls come last and are passed on as they are. */
function* readAnswer(source: TextSource, sink: AnswerSink, startsInside: boolean): Reader<void> {
  let isThought = startsInside;
  for (;;) {
    const marks: readonly string[] = isThought
      ? [thought.open, thought.close, text.open, calls.open]
      : [thought.open, text.open, text.close, calls.open, messageClose];
    const emit = isThought ? (read: string) => sink.reasoning(read) : (read: string) => sink.rest(read);
    const found = yield* passThrough(source, marks, emit);
    if (found < 0) return;
    const mark = marks[found] ?? '';
    isThought = mark === thought.open;
    if (mark === calls.open) {
      sink.rest(mark);
      yield* passThrough(source, [], (read) => sink.rest(read));
      return;
    }
  }
}

function* readCall(source: TextSource, sink: CallSink): Reader<Reading> {
  const header = yield* readThrough(source, [separator], maxHeaderLength);
  const [name] = readAttributes(header);
  if (name === undefined || !sink.start(name)) return 'bad';
  const writer = createArgumentWriter(sink);
  let { index: next } = yield* readChoice(source, [argument.open, call.close, json.open]);
  if (next === 2) return yield* readJsonBlock(source, sink);
  while (next === 0) {
    const [key, type] = readAttributes(yield* readThrough(source, [separator], maxHeaderLength));
    if (key === undefined) return 'bad';
    const readFollower = () => readChoice(source, [argument.open, call.close]);
    const form = { closer: argument.close, readFollower };
    const read = yield* readTaggedValue(source, form, sink.remainingLength());
    if (read === undefined) return 'bad';
    const value = type !== 'string' && isJson(read.value) ? read.value.trim() : JSON.stringify(read.value);
    if (!writer.write(key, value)) return 'bad';
    next = read.follower;
  }
  if (next !== 1 || !writer.end()) return 'bad';
  sink.end();
  return 'ok';
}

/** All arguments as one JSON object. */
function* readJsonBlock(source: TextSource, sink: CallSink): Reader<Reading> {
  const header = yield* readThrough(source, [separator], maxHeaderLength);
  if (header.end < 0) return 'bad';
  const body = yield* readArguments(source, sink);
  if (body !== 'ok') return body;
  const close = yield* readLiteral(source, json.close + call.close);
  if (close !== 'ok') return close;
  sink.end();
  return 'ok';
}

const attributes = /^([^"]*)"(?: (?:type|index)="([^"]*)")?$/;

/** The rest of a tag after its first attribute's opening quote: that attribute, and `type` or `index`. */
function readAttributes({ text: rest, end }: { readonly text: string; readonly end: number }): readonly string[] {
  const [, first, second = ''] = (end < 0 ? null : attributes.exec(rest)) ?? [];
  return first === undefined
    ? []
    : [first, second].map((value) => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

function createGrammar(given: CallRules): string {
  const { rules, tools } = given;
  const form = {
    before: (name: string, type: unknown) => `${argument.open}${name}" type="${attributeType(type)}"${separator}`,
    after: argument.close,
    ends: [argument.close],
  };
  const named = tools.map((tool, index) => {
    const parameters = parametersRule({ tool, index, rules, form });
    return `${terminal(`${call.open}${tool.name}" index="`)} [1-9] [0-9]{0,2} ${terminal(`"${separator}`)} ${parameters}`;
  });
  const whole = rules.add(`(${named.join(' | ')}) ${terminal(call.close)}`);
  return rules.text(
    `${terminal(calls.open)} ${repeatedCalls(given, whole, '')} ${terminal(calls.close + messageClose)}`,
  );
}

const attributeTypes: readonly unknown[] = ['boolean', 'number', 'array', 'object'];

function attributeType(type: unknown): string {
  if (type === 'integer') return 'number';
  return attributeTypes.includes(type) ? String(type) : 'string';
}
