import { chooseReasoningParser, chooseToolParser } from './choose-parsers';

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

it.each([
  ['<|im_start|><think>', 'qwen3'],
  ['<｜Assistant｜></think>', 'deepseek-r1'],
  ['[THINK]', 'mistral-think'],
  ['<|im_start|>', 'none'],
])('reads the thoughts of a template with %j as %s', (template, parser) => {
  expect(chooseReasoningParser(template)).toBe(parser);
});
