import fc from 'fast-check';
import { byteLevelPreTokenizer, Tokenizer } from 'tokenizers';
import { byteLevelAlphabet } from './token-table';
import type { TokenizerFile } from './tokenizer-file';
import { createWordEncoder, settledCharacters, wordPatterns } from './word-encoder';

const byteLevel = { type: 'ByteLevel', add_prefix_space: false, use_regex: false };

const fileWith = (pattern: string): TokenizerFile => ({
  added_tokens: [],
  model: { type: 'BPE', vocab: {} },
  normalizer: { type: 'NFC' },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [{ type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false }, byteLevel],
  },
});

/** The words that the library's own expression finds. */
function librarySplitter(pattern: string): (text: string) => readonly string[] {
  const split = { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false };
  const model = { type: 'BPE', vocab: { a: 0 }, merges: [] };
  const library = Tokenizer.fromString(
    JSON.stringify({ version: '1.0', added_tokens: [], pre_tokenizer: split, model }),
  );
  const preTokenizer = library.getPreTokenizer();
  return (text) => (text === '' ? [] : (preTokenizer?.preTokenizeString(text) ?? []).map(([word]) => word));
}

/** An encoder that gives each word a number, and tells what was encoded as a whole. */
function wordNumbers(file: TokenizerFile) {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  const number = (word: string): number => {
    const known = numbers.get(word) ?? names.push(word) - 1;
    numbers.set(word, known);
    return known;
  };
  const whole: string[] = [];
  const asked: string[][] = [];
  const encode = createWordEncoder({
    file,
    encode: (text) => {
      whole.push(text);
      return Promise.resolve(new Int32Array());
    },
    encodeEach: (words) => {
      asked.push([...words]);
      return Promise.resolve(words.map((word) => Int32Array.of(number(word))));
    },
  });
  const wordsOf = async (text: string): Promise<readonly (string | undefined)[]> =>
    Array.from(await encode(text), (id) => names[id]);
  return { encode, wordsOf, whole, asked };
}

const settled = Array.from({ length: 0x1_f650 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((character) => settledCharacters.test(character));

const fragment = fc.oneof(
  fc.constantFrom(
    "'s",
    "'LL",
    "it's",
    ' ',
    '  ',
    '\n',
    '\r\n',
    ' \n',
    '\t',
    '1',
    '1234',
    ' 12',
    'Hello',
    ' World',
    'HTTPServer',
  ),
  fc.constantFrom(
    '/',
    '//',
    ' (',
    ')',
    '...',
    '-',
    ' "',
    '世界',
    'Привет',
    '한국어',
    'ひらがな',
    '\u00a0',
    '\u3000',
    '🙂',
    'é',
  ),
  fc.constantFrom(...settled),
);
const anyText = fc.array(fragment, { maxLength: 24 }).map((parts) => parts.join(''));

describe('createWordEncoder', () => {
  describe.each([...wordPatterns])('with the words of %s', (_name, pattern) => {
    const librarySplit = librarySplitter(pattern);

    it('splits any text like the library', async () => {
      const { wordsOf, whole } = wordNumbers(fileWith(pattern));
      await fc.assert(
        fc.asyncProperty(anyText, async (text) => {
          expect(await wordsOf(text)).toEqual(librarySplit(text));
        }),
        { numRuns: 2_000 },
      );
      expect(whole).toEqual([]);
    });

    it('splits a word that is alone into itself', () => {
      fc.assert(
        fc.property(anyText, (text) => {
          for (const word of librarySplit(text)) expect(librarySplit(word)).toEqual([word]);
        }),
      );
    });
  });

  // Between them they distinguish every class that a pattern names.
  it.each(['Qwen 3.5', 'gpt-oss'])(
    'sees each of its characters in the class that the library has: %s',
    async (name) => {
      const pattern = wordPatterns.get(name) ?? '';
      const librarySplit = librarySplitter(pattern);
      const { wordsOf } = wordNumbers(fileWith(pattern));
      for (let from = 0; from < settled.length; from += 500) {
        const text = settled
          .slice(from, from + 500)
          .map((one) => `a${one}1 ${one}${one}\n`)
          .join(' ');
        expect(await wordsOf(text)).toEqual(librarySplit(text));
      }
    },
  );

  it('has characters that composing leaves alone', () => {
    expect(settled.filter((character) => character.normalize('NFC') !== character)).toEqual([]);
    const pairs = settled.map((character, at) => character + (settled[(at * 7919) % settled.length] ?? ''));
    expect(pairs.filter((pair) => pair.normalize('NFC') !== pair)).toEqual([]);
    expect(settled.length).toBeGreaterThan(30_000);
  });

  it('splits like the byte level of GPT-2 where the file names no pattern', async () => {
    const preTokenizer = { type: 'ByteLevel', add_prefix_space: false, use_regex: true };
    const { wordsOf } = wordNumbers({ ...fileWith(''), pre_tokenizer: preTokenizer });
    const library = byteLevelPreTokenizer(false, true);
    const alphabet = byteLevelAlphabet();
    const inBytes = (word: string) => Array.from(new TextEncoder().encode(word), (byte) => alphabet[byte]).join('');
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const expected = text === '' ? [] : library.preTokenizeString(text).map(([word]) => word);
        expect((await wordsOf(text)).map((word = '') => inBytes(word))).toEqual(expected);
      }),
    );
  });

  it('encodes a word once, however often it occurs', async () => {
    const { encode, asked } = wordNumbers(fileWith([...wordPatterns.values()][1] ?? ''));

    expect([...(await encode('a b a b'))]).toEqual([0, 1, 2, 1]);
    expect([...(await encode(' b c'))]).toEqual([1, 3]);
    expect(asked).toEqual([['a', ' b', ' a'], [' c']]);
  });

  const [, known = ''] = wordPatterns.values();
  it.each([
    ['a text of unsettled characters', fileWith(known), 'e\u0301'],
    ['a half of a pair', fileWith(known), 'a\ud83d'],
    ['a long text', fileWith(known), 'a '.repeat(600_000)],
    ['a pattern that was not compared', fileWith(String.raw`\w+|\W+`), 'a b'],
    ['a tokenizer that is not of bytes', { ...fileWith(known), model: { type: 'Unigram', vocab: [] } }, 'a b'],
    ['a normalizer that replaces', { ...fileWith(known), normalizer: { type: 'Lowercase' } }, 'a b'],
    [
      'a tokenizer that prepends a space',
      { ...fileWith(known), pre_tokenizer: { ...byteLevel, add_prefix_space: true } },
      'a',
    ],
  ])('encodes %s as a whole', async (_name, file, text) => {
    const { encode, whole, asked } = wordNumbers(file);
    await encode(text);

    expect(whole).toEqual([text]);
    expect(asked).toEqual([]);
  });
});
