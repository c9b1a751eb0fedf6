import { readCallObject } from '../call-text/call-object';
import { objectCalls, repeatedCalls } from '../grammar/call-rules';
import { readLiteral, skipSpace } from '../call-text/text-source';
import { defineFamily } from './model-family';

const pythonTag = '<|python_tag|>';
const roleMark = '<|start_header_id|>';

/**
 * A call is `{"name": …, "parameters": …}`, at the start of the answer or after `<|python_tag|>`; `;` separates calls.
 * Source: the chat templates of Llama 3.1 to 4.
 */
export const llama3 = defineFamily({
  name: 'llama3',
  models: 'Llama 3 and 4',
  roleMarks: [roleMark],
  closers: ['<|eot_id|>', '<|eom_id|>'],
  endTokens: ['<|eot_id|>', '<|end_of_text|>', '<|eom_id|>'],
  tools: {
    name: 'llama3-json',
    aliases: ['llama3', 'llama3_json', 'llama4_json'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(pythonTag) || chatTemplate.includes(roleMark),
    markers: [pythonTag],
    createReader: () => ({
      openers: [pythonTag],
      bareOpeners: '{;',
      *readCalls(source, sink, opener) {
        if (opener === '') yield* readLiteral(source, ';');
        yield* skipSpace(source);
        const call = yield* readCallObject(source, sink);
        if (call === 'ok') sink.end();
        return call;
      },
    }),
    createGrammar: (calls) => calls.rules.text(repeatedCalls(calls, objectCalls(calls, 'parameters'), '; ')),
  },
});
