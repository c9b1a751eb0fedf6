import { isAppError } from '@weir/foundation';

import {
  chooseReasoningParser,
  chooseToolParser,
  findEndTokens,
  modelFamilies,
  parseReasoningParserName,
  parserMarkers,
  parseToolParserName,
  reasoningParserNames,
  toolParserNames,
} from './registry';

describe('modelFamilies', () => {
  it('have distinct names, parsers and aliases', () => {
    const unique = (names: readonly string[]) => new Set(names).size === names.length;
    const formats = modelFamilies.flatMap(({ tools }) => tools ?? []);
    const reasoning = [...new Set(modelFamilies.flatMap((family) => family.reasoning ?? []))];
    expect(unique(modelFamilies.map(({ name }) => name))).toBe(true);
    expect(unique(formats.flatMap(({ name, aliases }) => [name, ...aliases]))).toBe(true);
    expect(unique(reasoning.flatMap(({ name, aliases }) => [name, ...aliases]))).toBe(true);
  });

  it('define the names of the configuration', () => {
    expect([...toolParserNames].sort()).toEqual([
      'deepseek',
      'deepseek-dsml',
      'deepseek-dsml-spaced',
      'gemma4',
      'glm45',
      'harmony',
      'hermes',
      'kimi-k2',
      'kimi-k3',
      'llama3-json',
      'minimax-m2',
      'minimax-m3',
      'mistral',
      'none',
      'qwen3-coder',
    ]);
    expect([...reasoningParserNames].sort()).toEqual([
      'deepseek-r1',
      'gemma4',
      'glm45',
      'harmony',
      'kimi-k2',
      'kimi-k3',
      'minimax-m2',
      'minimax-m3',
      'mistral-think',
      'none',
      'qwen3',
    ]);
  });
});

describe('findEndTokens', () => {
  it.each([
    [
      'of the families',
      ['<|im_end|>', '<|eot_id|>', '<end_of_turn>', 'a'],
      ['<|im_end|>', '<|eot_id|>', '<end_of_turn>'],
    ],
    ['of Phi', ['<|end|>'], ['<|end|>']],
    [
      'of gpt-oss, whose answers have several messages',
      ['<|end|>', '<|call|>', '<|return|>'],
      ['<|call|>', '<|return|>'],
    ],
  ])('finds those %s', (_case, tokens, ends) => {
    expect(findEndTokens((token) => tokens.includes(token)).toSorted()).toEqual(ends.toSorted());
  });
});

describe('chooseToolParser', () => {
  it.each([
    ['<|im_start|>assistant\n<tool_call>\n', 'hermes'],
    ['<tool_call>\n<function=name>', 'qwen3-coder'],
    ['[AVAILABLE_TOOLS][TOOL_CALLS]', 'mistral'],
    ['<｜tool▁calls▁begin｜>', 'deepseek'],
    ['<｜tool▁calls▁begin｜><｜DSML｜invoke', 'deepseek-dsml'],
    ['<｜DSML｜ calls>', 'deepseek-dsml-spaced'],
    ['<tool_call>name\n<arg_key>', 'glm45'],
    ['<|start|>assistant<|channel|>final<|message|>', 'harmony'],
    ['<|im_assistant|><|tool_calls_section_begin|>', 'kimi-k2'],
    ['<minimax:tool_call>\n<invoke', 'minimax-m2'],
    [']<]minimax[>[<tool_call>', 'minimax-m3'],
    ['<|turn>model\n<|tool_call>call:', 'gemma4'],
    ['<|open|>call<|sep|><|end_of_msg|>', 'kimi-k3'],
    ['<|start_header_id|>ipython', 'llama3-json'],
    ['{{ messages }}', 'none'],
  ])('reads the calls of a template with %j as %s', (template, parser) => {
    expect(chooseToolParser(template)).toBe(parser);
  });
});

describe('chooseReasoningParser', () => {
  it.each([
    ['<|im_start|><think>', 'qwen3'],
    ['<｜Assistant｜></think>', 'deepseek-r1'],
    ['[THINK]', 'mistral-think'],
    ['<|observation|><think>', 'glm45'],
    ['<|channel>thought', 'gemma4'],
    ['<|open|>think<|sep|><|end_of_msg|>', 'kimi-k3'],
    ['<|start|>assistant<|channel|>final<|message|>', 'harmony'],
    ['<|im_assistant|><think>', 'kimi-k2'],
    [']~b]ai\n<think>', 'minimax-m2'],
    [']~b]ai\n<mm:think></mm:think>', 'minimax-m3'],
    ['<|im_start|>', 'none'],
  ])('reads the reasoning of a template with %j as %s', (template, parser) => {
    expect(chooseReasoningParser(template)).toBe(parser);
  });
});

describe('parseToolParserName', () => {
  it.each([
    ['hermes', 'hermes'],
    ['qwen', 'hermes'],
    ['qwen25', 'hermes'],
    ['qwen3', 'hermes'],
    ['qwen3_coder', 'qwen3-coder'],
    ['qwen3_xml', 'qwen3-coder'],
    ['llama3', 'llama3-json'],
    ['llama4_json', 'llama3-json'],
    ['deepseek_v3', 'deepseek'],
    ['deepseekv32', 'deepseek-dsml'],
    ['deepseek_v41', 'deepseek-dsml-spaced'],
    ['openai', 'harmony'],
    ['glm47', 'glm45'],
    ['kimi_k2', 'kimi-k2'],
    ['minimax_m2', 'minimax-m2'],
    ['minimax_m3', 'minimax-m3'],
    ['none', 'none'],
  ])('reads %s as %s', (name, parser) => {
    expect(parseToolParserName(name)).toBe(parser);
  });

  it.each(['', 'Hermes', 'constructor', '__proto__'])('refuses %j', (name) => {
    expect(captureReason(() => parseToolParserName(name))).toBe('tool_parser_unknown');
  });
});

describe('parseReasoningParserName', () => {
  it('accepts names and aliases, and refuses others', () => {
    expect(parseReasoningParserName('deepseek_r1')).toBe('deepseek-r1');
    expect(captureReason(() => parseReasoningParserName('think'))).toBe('reasoning_parser_unknown');
  });
});

describe('parserMarkers', () => {
  it.each([
    ['hermes', 'qwen3', ['<tool_call>', '</tool_call>', '<think>', '</think>']],
    ['llama3-json', 'none', ['<|python_tag|>']],
    ['mistral', 'none', ['[TOOL_CALLS]', '[CALL_ID]', '[ARGS]']],
    ['none', 'mistral-think', ['[THINK]', '[/THINK]']],
    ['none', 'none', []],
  ] as const)('of %s and %s are all the markers that they read', (toolParser, reasoningParser, markers) => {
    expect(parserMarkers(toolParser, reasoningParser)).toEqual(markers);
  });
});

function captureReason(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return isAppError(error) ? error.reason : undefined;
  }
  return undefined;
}
