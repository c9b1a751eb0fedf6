import { namedTokenPattern } from './named-tokens';
import { createSegmentCache } from './segment-cache';
import { createTextEncoder } from './text-encoder';
import type { TokenizerFile } from './tokenizer-file';

const file = {
  added_tokens: [{ id: 0, content: '<|end|>', normalized: false, lstrip: false, rstrip: false, single_word: false }],
  model: { type: 'BPE' },
  decoder: { type: 'ByteLevel' },
} as unknown as TokenizerFile;

describe('createTextEncoder', () => {
  it('encodes few of very many texts at a time, and joins them in their order', async () => {
    let running = 0;
    let most = 0;
    const encode = createTextEncoder({
      file,
      names: namedTokenPattern(['<|end|>']),
      findId: () => 0,
      encode: () => Promise.reject(new Error('A string between names has none.')),
      encodeWithoutNames: async (text) => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        return Int32Array.of(Number(text));
      },
      cache: createSegmentCache(0),
    });
    const numbers = Array.from({ length: 20_000 }, (_, index) => index + 1);

    expect(Array.from(await encode(numbers.map((number) => `${number}<|end|>`).join('')))).toEqual(
      numbers.flatMap((number) => [number, 0]),
    );
    expect(most).toBeLessThanOrEqual(512);
  });
});
