import {
  chatmlTemplate,
  deepseekTemplate,
  deepseekV32Template,
  deepseekV41Template,
  gemma3Template,
  gemma4Template,
  genericTemplate,
  glmTemplate,
  gptOssTemplate,
  kimiK2Template,
  kimiK3Template,
  llama3Template,
  minimaxM3Template,
  minimaxTemplate,
  mistralTemplate,
  qwen3CoderTemplate,
} from './test-templates';

export type TestFamilyName =
  | 'chatml'
  | 'qwen3-coder'
  | 'llama3'
  | 'mistral'
  | 'deepseek'
  | 'deepseek-v32'
  | 'deepseek-v41'
  | 'glm'
  | 'gpt-oss'
  | 'kimi-k2'
  | 'kimi-k3'
  | 'minimax'
  | 'minimax-m3'
  | 'gemma3'
  | 'gemma4'
  | 'generic';

/** A chat template with the marks of a family of models, and the tokens that it needs. */
export interface TestFamily {
  readonly name: TestFamilyName;
  readonly chatTemplate: string;
  readonly bosToken: string;
  readonly endTokens: readonly string[];
  readonly controlTokens: readonly string[];
  readonly plainTokens: readonly string[];
}

const family = (
  name: TestFamilyName,
  chatTemplate: string,
  bosToken: string,
  endTokens: readonly string[],
  tokens: { readonly control: readonly string[]; readonly plain?: readonly string[] },
): TestFamily => ({
  name,
  chatTemplate,
  bosToken,
  endTokens,
  plainTokens: tokens.plain ?? [],
  controlTokens: [...new Set([...endTokens, ...(bosToken === '' ? [] : [bosToken]), ...tokens.control])],
});

const thoughtAndCalls = ['<think>', '</think>', '<tool_call>', '</tool_call>', '<tool_response>', '</tool_response>'];

export const testFamilies: Readonly<Record<TestFamilyName, TestFamily>> = {
  chatml: family('chatml', chatmlTemplate, '', ['<|im_end|>', '<|endoftext|>'], {
    control: ['<|im_start|>'],
    plain: thoughtAndCalls,
  }),
  llama3: family('llama3', llama3Template, '<|begin_of_text|>', ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>'], {
    control: ['<|start_header_id|>', '<|end_header_id|>'],
  }),
  mistral: family('mistral', mistralTemplate, '<s>', ['</s>'], {
    control: [
      ...['[INST]', '[/INST]', '[TOOL_CALLS]', '[TOOL_RESULTS]', '[/TOOL_RESULTS]'],
      ...['[AVAILABLE_TOOLS]', '[/AVAILABLE_TOOLS]'],
    ],
  }),
  deepseek: family('deepseek', deepseekTemplate, '<｜begin▁of▁sentence｜>', ['<｜end▁of▁sentence｜>'], {
    control: ['<｜User｜>', '<｜Assistant｜>'],
    plain: [
      ...['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>', '<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>'],
      ...['<｜tool▁sep｜>', '<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'],
    ],
  }),
  glm: family('glm', glmTemplate, '', ['<|endoftext|>', '<|user|>', '<|observation|>'], {
    control: ['[gMASK]', '<sop>', '<|assistant|>', '<|system|>'],
    plain: thoughtAndCalls,
  }),
  'qwen3-coder': family('qwen3-coder', qwen3CoderTemplate, '', ['<|im_end|>', '<|endoftext|>'], {
    control: ['<|im_start|>'],
    plain: thoughtAndCalls,
  }),
  'gpt-oss': family('gpt-oss', gptOssTemplate, '', ['<|return|>', '<|endoftext|>', '<|call|>'], {
    control: ['<|start|>', '<|end|>', '<|message|>', '<|channel|>', '<|constrain|>'],
  }),
  'kimi-k2': family('kimi-k2', kimiK2Template, '', ['<|im_end|>', '[EOS]'], {
    control: ['<|im_system|>', '<|im_user|>', '<|im_assistant|>', '<|im_middle|>'],
    plain: [
      ...['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>', '<|tool_call_begin|>'],
      ...['<|tool_call_argument_begin|>', '<|tool_call_end|>', '<think>', '</think>'],
    ],
  }),
  'kimi-k3': family('kimi-k3', kimiK3Template, '', ['<|end_of_msg|>'], {
    control: ['<|open|>', '<|close|>', '<|sep|>'],
  }),
  minimax: family('minimax', minimaxTemplate, '', ['[e~['], {
    control: [']~!b[', ']~b]'],
    plain: ['<minimax:tool_call>', '</minimax:tool_call>', '<think>', '</think>'],
  }),
  'minimax-m3': family('minimax-m3', minimaxM3Template, '', ['[e~['], {
    control: [']~!b[', ']~b]'],
    plain: [']<]minimax[>[', '<mm:think>', '</mm:think>', '<tool_call>', '</tool_call>'],
  }),
  gemma3: family('gemma3', gemma3Template, '<bos>', ['<end_of_turn>', '<eos>'], { control: ['<start_of_turn>'] }),
  gemma4: family('gemma4', gemma4Template, '<bos>', ['<turn|>', '<eos>', '<|tool_response>'], {
    control: ['<|turn>', '<|channel>', '<channel|>', '<|tool_call>', '<tool_call|>', '<tool_response|>', '<|"|>'],
  }),
  'deepseek-v32': family('deepseek-v32', deepseekV32Template, '<｜begin▁of▁sentence｜>', ['<｜end▁of▁sentence｜>'], {
    control: ['<｜User｜>', '<｜Assistant｜>'],
    plain: ['｜DSML｜', '<think>', '</think>'],
  }),
  'deepseek-v41': family('deepseek-v41', deepseekV41Template, '<｜begin▁of▁sentence｜>', ['<｜end▁of▁sentence｜>'], {
    control: ['<｜User｜>', '<｜Assistant｜>', '<｜System｜>'],
    plain: ['｜DSML｜', '<think>', '</think>'],
  }),
  generic: family('generic', genericTemplate, '', ['<eot>'], { control: [] }),
};

/** The token that ends an answer with calls, where it is not the one that ends every answer. */
const callEnds: Partial<Record<TestFamilyName, string>> = {
  gemma4: '<|tool_response>',
  glm: '<|observation|>',
  'gpt-oss': '<|call|>',
};
const textEnds: Partial<Record<TestFamilyName, string>> = { glm: '<|user|>' };

/** The token with which a model of the family ends such an answer. */
export const answerEnd = (family: TestFamilyName, hasCalls: boolean): string =>
  (hasCalls ? callEnds : textEnds)[family] ?? testFamilies[family].endTokens[0] ?? '';
