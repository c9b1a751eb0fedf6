import { deepseek } from './deepseek';
import { createInvokeGrammar, createInvokeReader, type InvokeForm } from './invoke-calls';
import { defineFamily } from './model-family';

// The bars are U+FF5C. A space is between them and the name of a tag.
const mark = '｜DSML｜';
/** A template may put the mark before it from a variable. */
const blockName = ' calls>';

const form: InvokeForm = {
  blocks: [{ open: `<${mark}${blockName}`, close: `</${mark}${blockName}` }],
  tagPrefix: `${mark} `,
  marksStrings: true,
};

/**
 * Calls in DSML as of DeepSeek V3.2, with a space in every tag: `<｜DSML｜ invoke name="NAME">` with
 * `<｜DSML｜ parameter name="KEY" string="true|false">VALUE</｜DSML｜ parameter>`, in a block `calls`. Source: vLLM's parser
 * for DeepSeek V4.1, and descriptions of the encoding that comes with its weights, which have no chat template of their
 * own.
 */
export const deepseekV41 = defineFamily({
  name: 'deepseek-v41',
  models: 'DeepSeek V4.1',
  roleMarks: deepseek.roleMarks,
  templateMarks: [mark, blockName],
  closers: deepseek.closers,
  reasoning: deepseek.reasoning,
  tools: {
    name: 'deepseek-dsml-spaced',
    aliases: ['deepseek_v41', 'deepseekv41'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(mark) && chatTemplate.includes(blockName),
    markers: [mark],
    createReader: (options) => createInvokeReader(form, options),
    createGrammar: (calls) => createInvokeGrammar(form, calls),
  },
});
