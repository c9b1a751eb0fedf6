import { createArgumentWriter, parameterSchemas, type ArgumentWriter } from '../call-text/argument-writer';
import { readTaggedValue } from '../call-text/tagged-value';
import { readChoice, readThrough, readUntil, skipSpace } from '../call-text/text-source';
import type { Reader, Reading, TextSource } from '../call-text/text-source';
import { wrappedCalls, type CallRules } from '../grammar/call-rules';
import { terminal } from '../grammar/grammar-rules';
import { parametersRule } from '../grammar/xml-call-grammar';
import { defineFamily, hasThinkTags, thinkTags } from './model-family';

const maxNameLength = 256;
const callOpener = '<tool_call>';
const callCloser = '</tool_call>';
const keyOpener = '<arg_key>';
const keyCloser = '</arg_key>';
const valueOpener = '<arg_value>';
const valueCloser = '</arg_value>';
/** What may come after the name and after each value. */
const readFollower = (source: TextSource) => readChoice(source, [keyOpener, callCloser]);

/**
 * A call is `<tool_call>name`, for each argument `<arg_key>key</arg_key><arg_value>value</arg_value>`, and `</tool_call>`,
 * with line breaks in between (4.5 and 4.6) or without (4.7 and 5). Strings have no quotes, other values are JSON. The
 * model ends with the role of the next message. Source: the chat templates of GLM 4.5 to 5.
 */
export const glm = defineFamily({
  name: 'glm',
  models: 'GLM 4.5 and later',
  roleMarks: ['<|assistant|>', '<|observation|>'],
  closers: ['<|user|>', '<|observation|>'],
  closerOpensNextMessage: true,
  endTokens: ['<|user|>', '<|observation|>', '<|endoftext|>'],
  reasoning: {
    ...thinkTags,
    name: 'glm45',
    aliases: ['glm47'],
    isUsedBy: (chatTemplate) => hasThinkTags(chatTemplate) && chatTemplate.includes('<|observation|>'),
    markers: [thinkTags.open, thinkTags.close],
    startsInside: false,
  },
  tools: {
    name: 'glm45',
    aliases: ['glm', 'glm47'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(keyOpener),
    markers: [callOpener, callCloser, keyOpener, keyCloser, valueOpener, valueCloser],
    createReader: ({ tools, maxValueLength }) => {
      const schemas = parameterSchemas(tools);
      return {
        openers: [callOpener],
        bareOpeners: '',
        *readCalls(source, sink) {
          const name = (yield* readUntil(source, (code) => code === 0x3c, maxNameLength))?.trim();
          if (name === undefined || !sink.start(name)) return 'bad';
          const writer = createArgumentWriter(sink, schemas.get(name));
          const reading = yield* readArguments(source, writer, maxValueLength);
          if (reading === 'ok') sink.end();
          return reading;
        },
      };
    },
    createGrammar,
  },
});

function* readArguments(source: TextSource, writer: ArgumentWriter, maxValueLength: number): Reader<Reading> {
  let { index: next } = yield* readFollower(source);
  while (next === 0) {
    const key = yield* readThrough(source, [keyCloser], maxNameLength);
    if (key.end < 0) return 'bad';
    yield* skipSpace(source);
    if ((yield* readChoice(source, [valueOpener])).index < 0) return 'bad';
    const read = yield* readTaggedValue(source, { closer: valueCloser, readFollower }, maxValueLength);
    if (read === undefined || !writer.writePlain(key.text.trim(), read.value)) return 'bad';
    next = read.follower;
  }
  return next === 1 && writer.end() ? 'ok' : 'bad';
}

function createGrammar(calls: CallRules): string {
  const form = {
    before: (name: string) => `${keyOpener}${name}${keyCloser}\n${valueOpener}`,
    after: `${valueCloser}\n`,
    ends: [valueCloser],
  };
  const call = calls.rules.add(
    calls.tools
      .map(
        (tool, index) => `${terminal(`${tool.name}\n`)} ${parametersRule({ tool, index, rules: calls.rules, form })}`,
      )
      .join(' | '),
  );
  return wrappedCalls(calls, call, { before: callOpener, after: callCloser, between: '\n' });
}
