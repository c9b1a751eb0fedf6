import { isAppError } from '@weir/foundation';

import {
  chooseReasoningParser,
  chooseToolParser,
  knownEndTokens,
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
    const reasoning = modelFamilies.flatMap((family) => family.reasoning ?? []);
    expect(unique(modelFamilies.map(({ name }) => name))).toBe(true);
    expect(unique(formats.flatMap(({ name, aliases }) => [name, ...aliases]))).toBe(true);
    expect(unique(reasoning.flatMap(({ name, aliases }) => [name, ...aliases]))).toBe(true);
  });

  it('define the names of the configuration', () => {
    expect([...toolParserNames].sort()).toEqual([
      'deepseek',
      'hermes',
      'llama3-json',
      'mistral',
      'none',
      'qwen3-coder',
    ]);
    expect([...reasoningParserNames].sort()).toEqual(['deepseek-r1', 'mistral-think', 'none', 'qwen3']);
  });

  it('define the tokens that vocabularies are searched for', () => {
    expect(knownEndTokens).toEqual(expect.arrayContaining(['<|im_end|>', '<|eot_id|>', '<end_of_turn>']));
  });
});

describe('chooseToolParser', () => {
  it.each([
    ['<|im_start|>assistant\n<tool_call>\n', 'hermes'],
    ['<tool_call>\n<function=name>', 'qwen3-coder'],
    ['[AVAILABLE_TOOLS][TOOL_CALLS]', 'mistral'],
    ['<｜tool▁calls▁begin｜>', 'deepseek'],
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
