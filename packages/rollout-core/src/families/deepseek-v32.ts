import { deepseek } from './deepseek';
import { createInvokeGrammar, createInvokeReader, type InvokeForm } from './invoke-calls';
import { defineFamily } from './model-family';

// The bars are U+FF5C.
const mark = '｜DSML｜';

const block = (name: string) => ({ open: `<${mark}${name}>`, close: `</${mark}${name}>` });

const form: InvokeForm = {
  blocks: [block('function_calls'), block('tool_calls')],
  tagPrefix: mark,
  marksStrings: true,
};

/**
 * The roles and the reasoning of DeepSeek V3.1 with calls in DSML: `<｜DSML｜invoke name="NAME">` with
 * `<｜DSML｜parameter name="KEY" string="true|false">VALUE</｜DSML｜parameter>`, in a block `function_calls` (V3.2) or
 * `tool_calls` (V4). Source: the encoding that comes with the weights of DeepSeek V3.2, which have no chat template of
 * their own, and the template of llama.cpp for it.
 */
export const deepseekV32 = defineFamily({
  name: 'deepseek-v32',
  models: 'DeepSeek V3.2',
  roleMarks: deepseek.roleMarks,
  templateMarks: [mark],
  closers: deepseek.closers,
  reasoning: deepseek.reasoning,
  tools: {
    name: 'deepseek-dsml',
    aliases: ['deepseek_v32', 'deepseekv32', 'deepseek_v4', 'deepseekv4'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(mark),
    markers: [mark],
    createReader: (options) => createInvokeReader(form, options),
    createGrammar: (calls) => createInvokeGrammar(form, calls),
  },
});
