import { readArguments, readCallObject } from '../call-text/call-object';
import type { CallSink } from '../call-text/call-sink';
import { eachTool, objectCalls, repeatedCalls, type CallRules } from '../grammar/call-rules';
import { terminal } from '../grammar/grammar-rules';
import {
  peek,
  readLiteral,
  readUntil,
  skipSpace,
  type Reader,
  type Reading,
  type TextSource,
} from '../call-text/text-source';
import { defineFamily } from './model-family';

const maxNameLength = 256;
const openBracket = 0x5b;
const openBrace = 0x7b;
const callsOpener = '[TOOL_CALLS]';
const reasoningTags = { open: '[THINK]', close: '[/THINK]' } as const;

/**
 * `[TOOL_CALLS]` comes before a JSON array of calls (tokenizer versions 2 to 7), or before `name[ARGS]{…}` for each call
 * (from version 11 on, with `[CALL_ID]…` in between, and without `[ARGS]` where a decoder omitted it). Source: the
 * tokenizers of mistral-common and the models' chat templates.
 */
export const mistral = defineFamily({
  name: 'mistral',
  models: 'Mistral, Ministral and Magistral',
  roleMarks: ['[INST]'],
  closers: ['</s>'],
  reasoning: {
    ...reasoningTags,
    name: 'mistral-think',
    aliases: ['mistral_think', 'mistral'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(reasoningTags.open),
    markers: [reasoningTags.open, reasoningTags.close],
    startsInside: false,
  },
  tools: {
    name: 'mistral',
    aliases: [],
    callIdLength: 9,
    isUsedBy: (chatTemplate) => chatTemplate.includes(callsOpener),
    markers: [callsOpener, '[CALL_ID]', '[ARGS]'],
    createReader: () => ({
      openers: [callsOpener],
      bareOpeners: '',
      *readCalls(source, sink) {
        yield* skipSpace(source);
        const code = yield* peek(source);
        if (code < 0) return 'cut';
        return code === openBracket ? yield* readArray(source, sink) : yield* readNamed(source, sink);
      },
    }),
    createGrammar,
  },
});

/** Accepts both forms that the reader takes: only the version of the tokenizer says which one the model has learnt. */
function createGrammar(calls: CallRules): string {
  const { rules } = calls;
  const named = eachTool(calls, (tool, parameters) => `${terminal(`${tool.name}[ARGS]`)} ${parameters}`);
  const array = rules.add(`"[" ${repeatedCalls(calls, objectCalls(calls, 'arguments'), ', ')} "]"`);
  const list = rules.add(repeatedCalls(calls, named, callsOpener));
  return rules.text(`${terminal(callsOpener)} (${array} | ${list})`);
}

function* readArray(source: TextSource, sink: CallSink): Reader<Reading> {
  source.at++;
  for (;;) {
    yield* skipSpace(source);
    const call = yield* readCallObject(source, sink);
    if (call !== 'ok') return call;
    yield* skipSpace(source);
    const code = yield* peek(source);
    if (code >= 0 && code !== 0x2c && code !== 0x5d) return 'bad';
    source.at += code < 0 ? 0 : 1;
    sink.end();
    if (code !== 0x2c) return 'ok';
  }
}

function* readNamed(source: TextSource, sink: CallSink): Reader<Reading> {
  const name = yield* readUntil(source, (code) => code === openBracket || code === openBrace, maxNameLength);
  if (name === undefined) return 'bad';
  if ((yield* peek(source)) === openBracket) {
    const marks = yield* readMarks(source);
    if (marks !== 'ok') return marks;
  }
  yield* skipSpace(source);
  const code = yield* peek(source);
  if (code !== openBrace) return code < 0 ? 'cut' : 'bad';
  if (!sink.start(name.trim())) return 'bad';
  const reading = yield* readArguments(source, sink);
  if (reading === 'ok') sink.end();
  return reading;
}

function* readMarks(source: TextSource): Reader<Reading> {
  source.at++;
  const isCallId = (yield* peek(source)) === 0x43;
  const mark = yield* readLiteral(source, isCallId ? 'CALL_ID]' : 'ARGS]');
  if (mark !== 'ok' || !isCallId) return mark;
  const id = yield* readUntil(source, (code) => code === openBracket || code === openBrace, maxNameLength);
  if (id === undefined) return 'bad';
  return (yield* peek(source)) === openBrace ? 'ok' : yield* readLiteral(source, '[ARGS]');
}
