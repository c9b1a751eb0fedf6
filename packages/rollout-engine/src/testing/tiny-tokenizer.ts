import type { HuggingFaceTokenizerOptions } from '../tokenizer/hugging-face-tokenizer';
import { byteLevelAlphabet } from '../tokenizer/token-table';
import { testFamilies, type TestFamilyName } from './test-families';

// Merges are made along each word from the left, so that "hello" also has "he", "hel" and "hell".
const words = [
  'hello',
  ' hello',
  ' world',
  ' the',
  'user',
  'assistant',
  'system',
  ' weather',
  'search',
  ' and',
  '\n\n',
];

export interface TinyTokenizer extends HuggingFaceTokenizerOptions {
  readonly controlTokens: readonly string[];
  readonly plainTokens: readonly string[];
}

/**
 * A real `tokenizer.json`: byte-level BPE of 256 bytes, some merges, and the added tokens of a family, with a chat
 * template that has the family's marks.
 */
export function tinyTokenizer(name: TestFamilyName = 'chatml'): TinyTokenizer {
  const family = testFamilies[name];
  const { vocabulary, merges } = bytePairs();
  const first = Object.keys(vocabulary).length;
  const added = [
    ...family.controlTokens.map((content) => ({ content, special: true })),
    ...family.plainTokens.map((content) => ({ content, special: false })),
  ].map((token, index) => ({
    id: first + index,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    ...token,
  }));
  return {
    tokenizerJson: JSON.stringify({
      version: '1.0',
      added_tokens: added,
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true },
      decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true },
      model: { type: 'BPE', vocab: vocabulary, merges },
    }),
    chatTemplate: family.chatTemplate,
    bosToken: family.bosToken,
    eosToken: family.endTokens[0] ?? '',
    endTokens: family.endTokens,
    controlTokens: family.controlTokens,
    plainTokens: family.plainTokens,
  };
}

function bytePairs() {
  const alphabet = byteLevelAlphabet();
  const vocabulary: Record<string, number> = Object.fromEntries(alphabet.map((token, id) => [token, id]));
  const merges: [string, string][] = [];
  for (const word of words) {
    const [start = '', ...letters] = Array.from(new TextEncoder().encode(word), (byte) => alphabet[byte] ?? '');
    letters.reduce((left, right) => {
      const token = left + right;
      if (!(token in vocabulary)) {
        vocabulary[token] = Object.keys(vocabulary).length;
        merges.push([left, right]);
      }
      return token;
    }, start);
  }
  return { vocabulary, merges };
}
