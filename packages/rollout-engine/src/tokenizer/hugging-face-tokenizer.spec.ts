import fc from 'fast-check';
import { Tokenizer as NativeTokenizer } from 'tokenizers';
import { tinyTokenizer } from '../testing/tiny-tokenizer';
import { cutNames } from './cut-names';
import { createHuggingFaceTokenizer } from './hugging-face-tokenizer';
import { namedTokenPattern } from './named-tokens';
import { createSegmentCache } from './segment-cache';
import { createTextEncoder } from './text-encoder';
import { readTokenizerFile } from './tokenizer-file';

const tiny = tinyTokenizer();
const native = NativeTokenizer.fromString(tiny.tokenizerJson);
const tokenizer = createHuggingFaceTokenizer(tiny);

const nativeIds = async (text: string) => (await native.encode(text, null, { addSpecialTokens: false })).getIds();

const decodeAll = (ids: Int32Array, showControl = false) => {
  const decoder = tokenizer.createDecoder({ showsControl: () => showControl });
  return decoder.push(ids) + decoder.end();
};

const texts = [
  'hello world',
  '  two  spaces\n\n\n and tabs\t\t',
  'Grüße, 世界! 👩‍👩‍👧 e\u0301 \u0000 \ufeff mark',
  "it's I'll we've 12345 3.14",
  '<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n<think>\n',
  '<|im_end|><|im_end|> <|im_start|',
  'a'.repeat(2000),
];

const fragment = fc.oneof(
  fc.constantFrom(...tiny.controlTokens, ...tiny.plainTokens, 'hello', ' world', '\n', ' ', '  ', '<|', '|>'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const anyText = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''));

const gapToken = {
  id: 9999,
  content: '<gap>',
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
};

describe('createHuggingFaceTokenizer', () => {
  it.each(texts)('encodes %j like the library, the first time and from the cache', async (text) => {
    const expected = await nativeIds(text);
    expect([...(await tokenizer.encode(text, { control: true }))]).toEqual(expected);
    expect([...(await tokenizer.encode(text, { control: true }))]).toEqual(expected);
  });

  it('encodes and decodes any text like the library', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const ids = await tokenizer.encode(text, { control: true });
        expect([...ids]).toEqual(await nativeIds(text));
        expect(decodeAll(ids)).toBe(await native.decode([...ids], true));
        expect(decodeAll(ids, true)).toBe(text);
      }),
    );
  });

  it('encodes like the library if names of both kinds of added tokens overlap', async () => {
    const own = JSON.parse(tiny.tokenizerJson) as { added_tokens: { id: number }[] };
    const next = Math.max(...own.added_tokens.map(({ id }) => id)) + 1;
    const plain = { special: false, lstrip: false, rstrip: false, single_word: false };
    const tokenizerJson = changed({
      added_tokens: [
        ...own.added_tokens,
        { ...plain, id: next, content: 'hello wor', normalized: true },
        { ...plain, id: next + 1, content: 'lo', normalized: false },
      ],
    });
    const library = NativeTokenizer.fromString(tokenizerJson);
    const ids = await createHuggingFaceTokenizer({ ...tiny, tokenizerJson }).encode('hello world', { control: true });
    expect([...ids]).toEqual((await library.encode('hello world', null, { addSpecialTokens: false })).getIds());
  });

  it('reads no control token from a string that may not contain any', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const ids = await tokenizer.encode(text, { control: false });
        expect([...ids].filter((id) => tokenizer.isControl(id))).toEqual([]);
        expect(decodeAll(ids)).toBe(text);
      }),
    );
  });

  it('decodes any ids like the library, in chunks of any size', async () => {
    const ids = fc.array(fc.integer({ min: 0, max: tokenizer.vocabularySize - 1 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(ids, fc.array(fc.nat({ max: 40 }), { maxLength: 4 }), async (all, cuts) => {
        const decoder = tokenizer.createDecoder();
        let text = '';
        let start = 0;
        for (const end of [...cuts.sort((a, b) => a - b), all.length]) {
          text += decoder.push(Int32Array.from(all.slice(start, Math.max(start, end))));
          start = Math.max(start, end);
        }
        expect(text + decoder.end()).toBe(await native.decode(all, true));
      }),
    );
  });

  it('buffers the bytes of a character until it is complete', () => {
    const decoder = tokenizer.createDecoder();
    const bytes = [...new TextEncoder().encode('世')].map((byte) =>
      Array.from({ length: 256 }, (_, id) => id).find((id) => tokenizer.tokenBytes(id)[0] === byte),
    );
    const pieces = bytes.map((id) => decoder.push(Int32Array.of(id ?? 0)));
    expect([...pieces, decoder.end()]).toEqual(['', '', '世', '']);
  });

  it('names its tokens', () => {
    const end = tokenizer.findId('<|im_end|>') ?? -1;
    expect(tokenizer.endIds[0]).toBe(end);
    expect(tokenizer.isControl(end)).toBe(true);
    expect(tokenizer.isControl(tokenizer.findId('<think>') ?? -1)).toBe(false);
    expect(new TextDecoder().decode(tokenizer.tokenBytes(end))).toBe('<|im_end|>');
    expect(tokenizer.findId('no such token')).toBeUndefined();
    expect(tokenizer.tokenBytes(1e9)).toHaveLength(0);
  });

  it('encodes the common part of prompts once', async () => {
    const encoded: string[] = [];
    const encode = createTextEncoder({
      file: readTokenizerFile(tiny.tokenizerJson),
      names: namedTokenPattern(['<|im_end|>']),
      findId: (token) => tokenizer.findId(token),
      encode: (text) => tokenizer.encode(text, { control: false }),
      encodeWithoutNames: (text) => {
        encoded.push(text);
        return tokenizer.encode(text, { control: false });
      },
      cache: createSegmentCache(10_000),
    });
    for (const question of ['hello', 'world', 'hello']) await encode(`You are helpful.<|im_end|>${question}`);
    expect(encoded).toEqual(['You are helpful.', 'hello', 'world']);
  });

  it('has the same digest for the same vocabulary', () => {
    expect(createHuggingFaceTokenizer(tiny).digest).toBe(tokenizer.digest);
    expect(createHuggingFaceTokenizer(tinyTokenizer('glm')).digest).not.toBe(tokenizer.digest);
  });

  it.each([
    ['is no JSON', '{', 'tokenizer_invalid'],
    ['has another form', '{"model": 1}', 'tokenizer_invalid'],
    ['has an unknown decoder', changed({ decoder: { type: 'WordPiece' } }), 'tokenizer_unsupported'],
    [
      'drops merges at random',
      changed({ model: { type: 'BPE', vocab: {}, merges: [], dropout: 0.1 } }),
      'tokenizer_not_deterministic',
    ],
    ['leaves a gap in the ids', changed({ added_tokens: [gapToken] }), 'tokenizer_renumbered'],
  ])('refuses a file that %s', (_, tokenizerJson, reason) => {
    expect(() => createHuggingFaceTokenizer({ ...tiny, tokenizerJson })).toThrow(
      expect.objectContaining({ reason }) as Error,
    );
  });

  it('refuses an end token that is not in the vocabulary', () => {
    expect(() => createHuggingFaceTokenizer({ ...tiny, endTokens: ['<none>'] })).toThrow(
      expect.objectContaining({ reason: 'tokenizer_invalid' }) as Error,
    );
  });
});

describe('a sentencepiece-like tokenizer', () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  const vocabulary = Object.fromEntries(['<unk>', ...bytes, '▁', 'a', 'b', '▁a', '▁b'].map((token, id) => [token, id]));
  const json = JSON.stringify({
    version: '1.0',
    added_tokens: [
      { id: 0, content: '<unk>', single_word: false, lstrip: false, rstrip: false, normalized: false, special: true },
      { id: 262, content: '</s>', single_word: false, lstrip: false, rstrip: false, normalized: false, special: true },
    ],
    normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
      ],
    },
    model: {
      type: 'BPE',
      unk_token: '<unk>',
      byte_fallback: true,
      vocab: vocabulary,
      merges: [
        ['▁', 'a'],
        ['▁', 'b'],
      ],
    },
  });
  const options = { tokenizerJson: json, chatTemplate: '', bosToken: '', eosToken: '</s>', endTokens: ['</s>'] };

  it('encodes and decodes like the library', async () => {
    const library = NativeTokenizer.fromString(json);
    const pieces = createHuggingFaceTokenizer(options);
    for (const text of ['a b ba', ' a  b', '世界 a', 'é</s>a b']) {
      const ids = await pieces.encode(text, { control: true });
      expect([...ids]).toEqual((await library.encode(text, null, { addSpecialTokens: false })).getIds());
      const decoder = pieces.createDecoder();
      expect(decoder.push(ids) + decoder.end()).toBe(await library.decode([...ids], true));
    }
  });
});

describe('cutNames', () => {
  it('splits a name that only appears when another one was split', () => {
    const names = namedTokenPattern(['ab', 'bc', '😀x']);
    expect(cutNames('abc 😀x', names)).toEqual(['a', 'b', 'c 😀', 'x']);
  });
});

describe('createSegmentCache', () => {
  it('evicts the least recently used entry when it is full', () => {
    const cache = createSegmentCache(2000);
    for (let index = 0; index < 20; index += 1) {
      cache.set(`text ${index}`, new Int32Array(4));
      cache.get('text 0');
    }
    expect(cache.bytes).toBeLessThanOrEqual(2000);
    expect([cache.get('text 0'), cache.get('text 1')]).toEqual([new Int32Array(4), undefined]);
    cache.set('large', new Int32Array(100));
    expect(cache.get('large')).toBeUndefined();
  });
});

function changed(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(JSON.parse(tiny.tokenizerJson) as Record<string, unknown>), ...fields });
}
