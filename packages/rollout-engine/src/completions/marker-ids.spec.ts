import { createOutputParser, createStopMatcher } from '@weir/rollout-core';
import { temporaryFolder } from '@weir/test-kit';
import { writeTinyModel } from '../engine/embedded';
import type { HuggingFaceTokenizer } from '../tokenizer/hugging-face-tokenizer';
import { loadTokenizerFolder } from '../tokenizer/tokenizer-folder';
import { createAnswerReader } from './answer-reader';
import { markerIds } from './marker-ids';

const folder = temporaryFolder();
let tokenizer: HuggingFaceTokenizer;
beforeAll(async () => {
  await writeTinyModel(folder.path);
  tokenizer = await loadTokenizerFolder(folder.path);
});
afterAll(async () => {
  await tokenizer.stop();
  await folder.remove();
});

/** The answer that is read from a string with the names of control tokens in it. */
async function read(text: string, toolParser: 'hermes' | 'llama3-json' | 'none'): Promise<unknown> {
  const reader = createAnswerReader({
    tokenizer,
    parser: createOutputParser({
      toolParser,
      reasoningParser: 'qwen3',
      tools: toolParser === 'none' ? [] : [{ name: 'weather' }],
      newCallId: () => 'call',
    }),
    stops: createStopMatcher([]),
    markerIds: markerIds(tokenizer, toolParser, 'qwen3'),
    endIds: new Set(tokenizer.endIds),
    countsReasoning: false,
    endsWithCall: false,
  });
  const ids = await tokenizer.encode(text, { control: true });
  const tokens = { ids, logprobs: new Float32Array(ids.length), versions: new Int32Array(ids.length) };
  return [...reader.take({ kind: 'tokens', tokens }), ...reader.end()];
}

const call = '{"name": "weather", "arguments": {}}';

describe('control tokens of an answer', () => {
  it('have no text if no parser looks for them', async () => {
    expect(await read('{}<|endoftext|><|im_start|><tool_call>', 'none')).toEqual([{ kind: 'text', text: '{}' }]);
    expect(await read('yes<|im_start|><tool_call>', 'llama3-json')).toEqual([{ kind: 'text', text: 'yes' }]);
  });

  it('are read by the parser that looks for them', async () => {
    expect(await read(`<think>Hm.</think><tool_call>${call}</tool_call><|endoftext|>`, 'hermes')).toEqual([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'call_started', index: 0, id: 'call', name: 'weather' },
      { kind: 'call_arguments', index: 0, text: '{}' },
      { kind: 'call_ended', index: 0 },
    ]);
  });
});

it('takes both end tokens of the tiny model from its folder', () => {
  const names = tokenizer.endIds.map((id) => Buffer.from(tokenizer.tokenBytes(id)).toString());
  expect(names.toSorted()).toEqual(['<|endoftext|>', '<|im_end|>']);
});
