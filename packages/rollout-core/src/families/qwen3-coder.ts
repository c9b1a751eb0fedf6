import type { ToolDefinition } from '../conversation/message';
import type { CallSink } from '../call-text/call-sink';
import { coerceValue } from '../call-text/coerce-value';
import { wrappedCalls, type CallRules } from '../grammar/call-rules';
import { terminal } from '../grammar/grammar-rules';
import { parametersRule } from '../grammar/xml-call-grammar';
import { createTextSearch } from '../call-text/text-search';
import {
  peek,
  readLiteral,
  readUntil,
  skipSpace,
  type Reader,
  type Reading,
  type TextSource,
} from '../call-text/text-source';
import { chatml } from './chatml';
import { defineFamily } from './model-family';

const maxNameLength = 256;
const callOpener = '<tool_call>';
const callCloser = '</tool_call>';
const functionOpener = '<function=';
const functionCloser = '</function>';
const parameterOpener = '<parameter=';
const parameterCloser = '</parameter>';
const closeAngle = (code: number) => code === 0x3e;

type Properties = Readonly<Record<string, unknown>>;

/**
 * ChatML with calls of another form: `<tool_call><function=name><parameter=key>value</parameter>…</function></tool_call>`.
 * The outer tags may be missing. Values become JSON by the types in the tool's schema.
 */
export const qwen3Coder = defineFamily({
  name: 'qwen3-coder',
  models: 'Qwen3-Coder',
  roleMarks: chatml.roleMarks,
  templateMarks: [functionOpener],
  closers: chatml.closers,
  endTokens: chatml.endTokens,
  tools: {
    name: 'qwen3-coder',
    aliases: ['qwen3_coder', 'qwen3_xml'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(functionOpener),
    markers: [callOpener, callCloser],
    createReader: ({ tools, maxValueLength }) => {
      const schemas = new Map(tools.map((tool) => [tool.name, readProperties(tool)]));
      return {
        openers: [callOpener, functionOpener],
        bareOpeners: '',
        *readCalls(source, sink, opener) {
          if (opener === callOpener) {
            yield* skipSpace(source);
            const begin = yield* readLiteral(source, functionOpener);
            if (begin !== 'ok') return begin;
          }
          const name = yield* readName(source);
          if (name === undefined) return 'bad';
          if (!sink.start(name)) return 'bad';
          const parameters = yield* readParameters(source, sink, schemas.get(name) ?? {}, maxValueLength);
          if (parameters !== 'ok') return parameters;
          if (opener === callOpener) {
            yield* skipSpace(source);
            if ((yield* readLiteral(source, callCloser)) === 'bad') return 'bad';
          }
          sink.end();
          return 'ok';
        },
      };
    },
    createGrammar,
  },
});

function createGrammar(calls: CallRules): string {
  const { rules, tools } = calls;
  const call = rules.add(
    tools.map((tool, index) => `${terminal(`${tool.name}>\n`)} ${parametersRule(tool, index, rules)}`).join(' | '),
  );
  return wrappedCalls(calls, call, {
    before: `${callOpener}\n${functionOpener}`,
    after: `${functionCloser}\n${callCloser}`,
    between: '\n',
  });
}

function* readParameters(
  source: TextSource,
  sink: CallSink,
  schemas: Properties,
  maxValueLength: number,
): Reader<Reading> {
  const seen = new Set<string>();
  for (;;) {
    yield* skipSpace(source);
    const angle = yield* readLiteral(source, '<');
    if (angle !== 'ok') return angle;
    if ((yield* peek(source)) === 0x2f) {
      const close = yield* readLiteral(source, functionCloser.slice(1));
      if (close !== 'ok') return close;
      return sink.write(seen.size === 0 ? '{}' : '}') ? 'ok' : 'bad';
    }
    const open = yield* readLiteral(source, parameterOpener.slice(1));
    if (open !== 'ok') return open;
    const key = yield* readName(source);
    if (key === undefined) return 'bad';
    if (seen.has(key)) return 'bad';
    const value = yield* readValue(source, maxValueLength);
    if (value === undefined) return 'bad';
    const json = coerceValue(value, Object.hasOwn(schemas, key) ? schemas[key] : undefined);
    if (!sink.write(`${seen.size === 0 ? '{' : ', '}${JSON.stringify(key)}: ${json}`)) return 'bad';
    seen.add(key);
  }
}

/** Up to the closing tag, without one line break at either end. Nothing when another parameter begins before that. */
function* readValue(source: TextSource, maxLength: number): Reader<string | undefined> {
  const search = createTextSearch([parameterCloser, parameterOpener]);
  const pieces: string[] = [];
  let length = 0;
  for (;;) {
    if ((yield* peek(source)) < 0 || length >= maxLength) return undefined;
    const most = Math.min(source.text.length, source.at + maxLength - length);
    const end = search.feed(source.text, source.at, most);
    const upTo = end < 0 ? most : end;
    pieces.push(source.text.slice(source.at, upTo));
    length += upTo - source.at;
    source.at = upTo;
    if (end < 0) continue;
    if (search.found() !== 0) return undefined;
    return withoutOuterBreaks(pieces.join('').slice(0, -parameterCloser.length));
  }
}

function* readName(source: TextSource): Reader<string | undefined> {
  const name = yield* readUntil(source, closeAngle, maxNameLength);
  if (name === undefined) return undefined;
  source.at++;
  return name.trim();
}

function withoutOuterBreaks(text: string): string {
  const start = text.startsWith('\n') ? 1 : 0;
  const end = text.endsWith('\n') && text.length > start ? text.length - 1 : text.length;
  return text.slice(start, end);
}

function readProperties(tool: ToolDefinition): Properties {
  const properties = tool.parameters?.properties;
  return typeof properties === 'object' && properties !== null ? (properties as Properties) : {};
}
