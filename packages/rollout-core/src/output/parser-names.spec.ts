import { isAppError } from '@weir/errors';

import { needsControlText, reasoningParserOf, toolParserOf } from './parser-names';

describe('toolParserOf', () => {
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
  ])('takes %s for %s', (name, parser) => {
    expect(toolParserOf(name)).toBe(parser);
  });

  it.each(['', 'Hermes', 'constructor', '__proto__'])('refuses %j', (name) => {
    expect(reasonOf(() => toolParserOf(name))).toBe('tool_parser_unknown');
  });
});

describe('reasoningParserOf', () => {
  it('knows names and other names, and refuses the rest', () => {
    expect(reasoningParserOf('deepseek_r1')).toBe('deepseek-r1');
    expect(reasonOf(() => reasoningParserOf('think'))).toBe('reasoning_parser_unknown');
  });
});

describe('needsControlText', () => {
  it('holds where the markers of either parser are control tokens', () => {
    expect(needsControlText('hermes', 'qwen3')).toBe(false);
    expect(needsControlText('mistral', 'none')).toBe(true);
    expect(needsControlText('none', 'mistral-think')).toBe(true);
  });
});

function reasonOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return isAppError(error) ? error.reason : undefined;
  }
  return undefined;
}
