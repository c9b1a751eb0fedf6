import { readArguments } from '../call-text/call-object';
import type { CallSink } from '../call-text/call-sink';
import { eachTool, repeatedCalls, type CallRules } from '../grammar/call-rules';
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
import { defineFamily, hasThinkTags, thinkTags } from './model-family';
import { createSectionReader } from './section-calls';

const maxNameLength = 256;

// The bars are U+FF5C and the low lines U+2581.
const roleMark = '<｜Assistant｜>';
const markers = {
  callsBegin: '<｜tool▁calls▁begin｜>',
  callsEnd: '<｜tool▁calls▁end｜>',
  callBegin: '<｜tool▁call▁begin｜>',
  callEnd: '<｜tool▁call▁end｜>',
  separator: '<｜tool▁sep｜>',
} as const;

/**
 * Between the outer markers each call is `name`, the separator and the arguments (V3.1), or `function`, the separator,
 * the name and the arguments in a fenced block (V3 and R1). Source: the models' chat templates.
 */
export const deepseek = defineFamily({
  name: 'deepseek',
  models: 'DeepSeek V3, V3.1 and R1',
  roleMarks: [roleMark],
  closers: ['<｜end▁of▁sentence｜>'],
  reasoning: {
    ...thinkTags,
    name: 'deepseek-r1',
    aliases: ['deepseek_r1', 'deepseek_v3', 'deepseek-v3'],
    isUsedBy: (chatTemplate) => hasThinkTags(chatTemplate) && chatTemplate.includes(roleMark),
    markers: [thinkTags.open, thinkTags.close],
    startsInside: true,
  },
  tools: {
    name: 'deepseek',
    aliases: ['deepseek_v3', 'deepseek_v31', 'deepseekv3', 'deepseekv31'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(markers.callsBegin),
    markers: Object.values(markers),
    createReader: () => createSectionReader(markers, readCall),
    createGrammar,
  },
});

/** Accepts both forms of a call. */
function createGrammar(calls: CallRules): string {
  const { callsBegin, callBegin, callEnd, callsEnd, separator } = markers;
  const { rules } = calls;
  const plain = eachTool(calls, (tool, parameters) => `${terminal(`${tool.name}${separator}`)} ${parameters}`);
  const fenced = eachTool(
    calls,
    (tool, parameters) => `${terminal(`function${separator}${tool.name}\n\`\`\`json\n`)} ${parameters} "\\n\`\`\`"`,
  );
  const call = rules.add(`${terminal(callBegin)} (${plain} | ${fenced}) ${terminal(callEnd)}`);
  return rules.text(`${terminal(callsBegin)} ${repeatedCalls(calls, call, '')} ${terminal(callsEnd)}`);
}

function* readCall(source: TextSource, sink: CallSink): Reader<Reading> {
  const kind = yield* readUntil(source, (code) => code === 0x3c, maxNameLength);
  if (kind === undefined) return 'bad';
  const separator = yield* readLiteral(source, markers.separator);
  if (separator !== 'ok') return separator;
  yield* skipSpace(source);
  const isFenced = (yield* peek(source)) !== 0x7b;
  const reading = isFenced ? yield* readFenced(source, sink) : yield* readPlain(source, sink, kind.trim());
  if (reading !== 'ok') return reading;
  yield* skipSpace(source);
  if ((yield* readLiteral(source, markers.callEnd)) === 'bad') return 'bad';
  sink.end();
  return 'ok';
}

function* readPlain(source: TextSource, sink: CallSink, name: string): Reader<Reading> {
  if (!sink.start(name)) return 'bad';
  return yield* readArguments(source, sink);
}

function* readFenced(source: TextSource, sink: CallSink): Reader<Reading> {
  const name = yield* readUntil(source, (code) => code === 0x0a, maxNameLength);
  if (name === undefined) return 'bad';
  yield* skipSpace(source);
  const fence = yield* readLiteral(source, '```json');
  if (fence !== 'ok') return fence;
  yield* skipSpace(source);
  const code = yield* peek(source);
  if (code !== 0x7b) return code < 0 ? 'cut' : 'bad';
  if (!sink.start(name.trim())) return 'bad';
  const reading = yield* readArguments(source, sink);
  if (reading !== 'ok') return reading;
  yield* skipSpace(source);
  return (yield* readLiteral(source, '```')) === 'bad' ? 'bad' : 'ok';
}
