import { createArgumentWriter, parameterSchemas, type ArgumentWriter } from '../call-text/argument-writer';
import { wrappedCalls, type CallRules } from '../grammar/call-rules';
import { terminal } from '../grammar/grammar-rules';
import { parametersRule } from '../grammar/xml-call-grammar';
import {
  peek,
  readLiteral,
  readThrough,
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

/**
 * ChatML with calls of another form: `<tool_call><function=name><parameter=key>value</parameter>…</function></tool_call>`.
 * The outer tags may be missing. Values become JSON by the types in the tool's schema. Qwen 3.5 also thinks, in the tags
 * of Qwen 3, which its prompts open. Source: the models' chat templates.
 */
export const qwen3Coder = defineFamily({
  name: 'qwen3-coder',
  models: 'Qwen3-Coder, Qwen 3.5 and later',
  roleMarks: chatml.roleMarks,
  templateMarks: [functionOpener],
  closers: chatml.closers,
  endTokens: chatml.endTokens,
  reasoning: chatml.reasoning,
  tools: {
    name: 'qwen3-coder',
    aliases: ['qwen3_coder', 'qwen3_xml'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(functionOpener),
    markers: [callOpener, callCloser],
    createReader: ({ tools, maxValueLength }) => {
      const schemas = parameterSchemas(tools);
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
          const writer = createArgumentWriter(sink, schemas.get(name));
          const parameters = yield* readParameters(source, writer, maxValueLength);
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
  const form = {
    before: (name: string) => `${parameterOpener}${name}>\n`,
    after: `\n${parameterCloser}\n`,
    ends: [parameterCloser, parameterOpener],
  };
  const call = rules.add(
    tools
      .map((tool, index) => `${terminal(`${tool.name}>\n`)} ${parametersRule({ tool, index, rules, form })}`)
      .join(' | '),
  );
  return wrappedCalls(calls, call, {
    before: `${callOpener}\n${functionOpener}`,
    after: `${functionCloser}\n${callCloser}`,
    between: '\n',
  });
}

function* readParameters(source: TextSource, writer: ArgumentWriter, maxValueLength: number): Reader<Reading> {
  for (;;) {
    yield* skipSpace(source);
    const angle = yield* readLiteral(source, '<');
    if (angle !== 'ok') return angle;
    if ((yield* peek(source)) === 0x2f) {
      const close = yield* readLiteral(source, functionCloser.slice(1));
      if (close !== 'ok') return close;
      return writer.end() ? 'ok' : 'bad';
    }
    const open = yield* readLiteral(source, parameterOpener.slice(1));
    if (open !== 'ok') return open;
    const key = yield* readName(source);
    if (key === undefined) return 'bad';
    // A value in which another parameter begins was never closed.
    const value = yield* readThrough(source, [parameterCloser, parameterOpener], maxValueLength);
    if (value.end !== 0 || !writer.writePlain(key, withoutOuterBreaks(value.text))) return 'bad';
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
