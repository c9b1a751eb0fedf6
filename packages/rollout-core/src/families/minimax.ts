import { createInvokeGrammar, createInvokeReader, type InvokeForm } from './invoke-calls';
import { defineFamily, hasThinkTags, thinkTags } from './model-family';

const form: InvokeForm = {
  blocks: [{ open: '<minimax:tool_call>', close: '</minimax:tool_call>' }],
  tagPrefix: '',
  marksStrings: false,
};

/**
 * Calls are `<invoke name="NAME"><parameter name="KEY">VALUE</parameter>…</invoke>` between `<minimax:tool_call>` tags;
 * strings have no quotes. Source: the chat template of MiniMax M2.
 */
export const minimax = defineFamily({
  name: 'minimax',
  models: 'MiniMax M2',
  roleMarks: [']~b]'],
  closers: ['[e~['],
  endTokens: ['[e~['],
  reasoning: {
    ...thinkTags,
    name: 'minimax-m2',
    aliases: ['minimax_m2', 'minimax'],
    isUsedBy: (chatTemplate) => hasThinkTags(chatTemplate) && chatTemplate.includes(']~b]'),
    markers: [thinkTags.open, thinkTags.close],
    startsInside: false,
  },
  tools: {
    name: 'minimax-m2',
    aliases: ['minimax_m2'],
    isUsedBy: (chatTemplate) => chatTemplate.includes('<minimax:tool_call>'),
    markers: form.blocks.flatMap(({ open, close }) => [open, close]),
    createReader: (options) => createInvokeReader(form, options),
    createGrammar: (calls) => createInvokeGrammar(form, calls),
  },
});
