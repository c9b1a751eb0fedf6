import { readCallObject } from '../call-text/call-object';
import { objectCalls, wrappedCalls } from '../grammar/call-rules';
import { readLiteral, skipSpace } from '../call-text/text-source';
import { defineFamily, hasThinkTags, thinkTags } from './model-family';

const callOpener = '<tool_call>';
const callCloser = '</tool_call>';

/**
 * A call is `<tool_call>{"name": …, "arguments": …}</tool_call>`. Source: the chat templates of Qwen 3 and the format of
 * function calls of Hermes.
 */
export const chatml = defineFamily({
  name: 'chatml',
  models: 'Qwen 2.5, Qwen 3, Hermes and others that write ChatML',
  roleMarks: ['<|im_start|>'],
  closers: ['<|im_end|>'],
  endTokens: ['<|im_end|>', '<|endoftext|>'],
  reasoning: {
    ...thinkTags,
    name: 'qwen3',
    aliases: ['qwen3-thinking'],
    isUsedBy: hasThinkTags,
    markers: [thinkTags.open, thinkTags.close],
    startsInside: false,
  },
  tools: {
    name: 'hermes',
    aliases: ['qwen', 'qwen25', 'qwen3'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(callOpener),
    markers: [callOpener, callCloser],
    createReader: () => ({
      openers: [callOpener],
      bareOpeners: '',
      *readCalls(source, sink) {
        yield* skipSpace(source);
        const call = yield* readCallObject(source, sink);
        if (call !== 'ok') return call;
        yield* skipSpace(source);
        if ((yield* readLiteral(source, callCloser)) === 'bad') return 'bad';
        sink.end();
        return 'ok';
      },
    }),
    createGrammar: (calls) =>
      wrappedCalls(calls, objectCalls(calls, 'arguments'), {
        before: `${callOpener}\n`,
        after: `\n${callCloser}`,
        between: '\n',
      }),
  },
});
