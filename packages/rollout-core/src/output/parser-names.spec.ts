import { isAppError } from '@weir/errors';

import { needsControlText, parseReasoningParserName, parseToolParserName } from './parser-names';

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
  ])('takes %s for %s', (name, parser) => {
    expect(parseToolParserName(name)).toBe(parser);
  });

  it.each(['', 'Hermes', 'constructor', '__proto__'])('refuses %j', (name) => {
    expect(captureReason(() => parseToolParserName(name))).toBe('tool_parser_unknown');
  });
});

describe('parseReasoningParserName', () => {
  it('knows names and other names, and refuses the rest', () => {
    expect(parseReasoningParserName('deepseek_r1')).toBe('deepseek-r1');
    expect(captureReason(() => parseReasoningParserName('think'))).toBe('reasoning_parser_unknown');
  });
});

describe('needsControlText', () => {
  it('holds where the markers of either parser are control tokens', () => {
    expect(needsControlText('hermes', 'qwen3')).toBe(false);
    expect(needsControlText('mistral', 'none')).toBe(true);
    expect(needsControlText('none', 'mistral-think')).toBe(true);
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
