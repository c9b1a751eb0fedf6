import { joinAnswer } from '../continuity/join-answer';
import { detectFamily } from './detect-family';

const detect = (chatTemplate: string, tokens: readonly string[]) =>
  detectFamily({ chatTemplate, hasToken: (token) => tokens.includes(token), endTokens: ['<eot>'] });

describe('detectFamily', () => {
  it.each([
    ['<|im_start|>', ['<|im_start|>', '<|im_end|>'], 'chatml', ['<|im_end|>']],
    ['<|im_start|><function=', ['<|im_start|>', '<|im_end|>'], 'qwen3-coder', ['<|im_end|>']],
    ['<|start_header_id|>', ['<|start_header_id|>', '<|eot_id|>'], 'llama3', ['<|eot_id|>']],
    ['[INST]', ['[INST]', '</s>'], 'mistral', ['</s>']],
    ['<｜Assistant｜>', ['<｜Assistant｜>', '<｜end▁of▁sentence｜>'], 'deepseek', ['<｜end▁of▁sentence｜>']],
    ['<|assistant|><|observation|>', ['<|assistant|>', '<|observation|>'], 'glm', ['<|observation|>']],
    [
      '<|start|><|channel|><|message|>',
      ['<|start|>', '<|channel|>', '<|message|>', '<|return|>'],
      'gpt-oss',
      ['<|return|>'],
    ],
    ['<|im_assistant|><|im_middle|>', ['<|im_assistant|>', '<|im_middle|>', '<|im_end|>'], 'kimi-k2', ['<|im_end|>']],
    [']~b]ai', [']~b]', '[e~['], 'minimax', ['[e~[']],
    [']~b]ai</mm:think>]<]minimax[>[<tool_call>', [']~b]', '[e~['], 'minimax-m3', ['[e~[']],
    [
      '<｜Assistant｜>｜DSML｜',
      ['<｜Assistant｜>', '<｜end▁of▁sentence｜>'],
      'deepseek-v32',
      ['<｜end▁of▁sentence｜>'],
    ],
    [
      '<｜Assistant｜><｜DSML｜ calls>',
      ['<｜Assistant｜>', '<｜end▁of▁sentence｜>'],
      'deepseek-v41',
      ['<｜end▁of▁sentence｜>'],
    ],
    ['<|turn>', ['<|turn>', '<turn|>', '<|tool_response>'], 'gemma4', ['<turn|>', '<|tool_response>']],
    [
      '<|open|><|close|><|sep|><|end_of_msg|>',
      ['<|open|>', '<|close|>', '<|sep|>', '<|end_of_msg|>'],
      'kimi-k3',
      ['<|end_of_msg|>'],
    ],
    ['<start_of_turn>', ['<start_of_turn>', '<end_of_turn>'], 'gemma3', ['<end_of_turn>']],
    ['<|im_start|>', ['<|im_start|>'], 'generic', ['<eot>']],
    ['### user', ['<|im_start|>', '<|im_end|>'], 'generic', ['<eot>']],
  ])('detects template %j with tokens %j as %s', (template, tokens, name, closers) => {
    expect(detect(template, tokens)).toMatchObject({
      name,
      closers,
      closerOpensNextMessage: name === 'glm' || name === 'gemma4',
    });
  });
});

describe('joinAnswer for a family whose answers have an end before their closer', () => {
  const tokens = ['<|open|>', '<|close|>', '<|sep|>', '<|end_of_msg|>'];
  const family = detect(tokens.join(''), tokens);
  const appended = '<|close|>response<|sep|><|close|>message<|sep|><|end_of_msg|>x';

  it.each([
    ['repeats neither after a sampled closer', '<|end_of_msg|>', 'x'],
    ['adds both where the answer was cut off', undefined, appended],
  ])('%s', (_, lastControl, text) => {
    expect(joinAnswer({ family, appended, lastControl })).toEqual({ text, replacesLast: false });
  });
});

describe('joinAnswer', () => {
  const family = detect('<|start_header_id|>', ['<|start_header_id|>', '<|eot_id|>', '<|eom_id|>']);

  it.each([
    ['writes no closer twice', '<|eot_id|>', 'x'],
    ['writes no closer behind another one', '<|eom_id|>', 'x'],
    ['adds the closer where none was sampled', undefined, '<|eot_id|>x'],
    ['adds the closer behind a token that closes no turn', '<|end_of_text|>', '<|eot_id|>x'],
  ])('%s', (_, lastControl, text) => {
    expect(joinAnswer({ family, appended: '<|eot_id|>x', lastControl })).toEqual({ text, replacesLast: false });
  });
});
