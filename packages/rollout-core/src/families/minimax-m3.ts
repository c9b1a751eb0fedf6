import { readThrough } from '../call-text/text-source';
import { createElementGrammar } from './element-grammar';
import { createElementReader } from './element-arguments';
import { readBlock } from './invoke-calls';
import { minimax } from './minimax';
import { defineFamily } from './model-family';

const maxNameLength = 256;
/** Stands before every tag. */
const mark = ']<]minimax[>[';
const block = { open: `${mark}<tool_call>`, close: `${mark}</tool_call>` } as const;
const invoke = { name: 'invoke', open: `${mark}<invoke name="`, close: `${mark}</invoke>` } as const;
const thought = { open: '<mm:think>', close: '</mm:think>' } as const;

/**
 * A call is `]<]minimax[>[<invoke name="NAME">` with an element for each argument, in which objects and lists are elements
 * again; `]<]minimax[>[` stands before each tag, and all calls are between `tool_call` tags. A thought is between
 * `<mm:think>` tags, and an answer without one begins with the closing tag. Source: the chat template of MiniMax M3, and
 * the parsers of vLLM and SGLang.
 */
export const minimaxM3 = defineFamily({
  name: 'minimax-m3',
  models: 'MiniMax M3',
  roleMarks: minimax.roleMarks,
  templateMarks: [mark, thought.close],
  closers: minimax.closers,
  endTokens: minimax.endTokens,
  reasoning: {
    ...thought,
    name: 'minimax-m3',
    aliases: ['minimax_m3'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(thought.close),
    markers: [thought.open, thought.close],
    startsInside: false,
    closesUnopened: true,
  },
  tools: {
    name: 'minimax-m3',
    aliases: ['minimax_m3'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(mark),
    markers: [mark, '<tool_call>', '</tool_call>'],
    createReader: ({ tools }) => ({
      openers: [block.open],
      bareOpeners: '',
      readCalls: (source, sink) =>
        readBlock(source, [invoke.open, block.close], function* () {
          const { text: name, end } = yield* readThrough(source, ['">'], maxNameLength);
          if (end < 0 || !sink.start(name)) return 'bad';
          const parameters = tools.find((tool) => tool.name === name)?.parameters;
          const read = yield* createElementReader(mark, sink, parameters)(source, invoke.name);
          if (read === 'ok') sink.end();
          return read;
        }),
    }),
    createGrammar: (calls) => createElementGrammar({ mark, block, invoke }, calls),
  },
});
