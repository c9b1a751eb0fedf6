import type { EngineInfo } from './inference-engine';

/** Token ids of a string in which the names of control tokens stand for those tokens. */
export type EncodeText = (text: string) => Promise<Int32Array>;

// The texts on which tokenizers are known to differ: spaces, contractions, digits, scripts, joined characters, code,
// control tokens.
const samples = [
  'The quick brown fox jumps over the lazy dog.',
  ' one  two   three\n\n\tfour \r\n five  ',
  "I'm, you'RE, they'd've; naïve café e\u0301",
  '007 1234567 3.14159 1e-5 0x1F ٣٤٥',
  '漢字とかな 한국어 русский العربية मुंबई',
  '🏳️‍🌈👍🏽 👩‍👩‍👧‍👦 🇫🇷 \u00a0\u200b',
  'def f(x):\n    return {"a": [1, 2], "b": x ** 2}\n',
  'const f = (x) => ({ "a": [x ?? 1, `${x}`] }); // https://example.org/a?b=c&d=%20#e',
  '<|im_start|>user\nHello<|im_end|>\n<|endoftext|>',
];

/**
 * Compares ids of sample texts. `unknown` where either side cannot encode: no tokenizer of our own, or no ids from
 * theirs.
 */
export async function compareTokenizers(
  ours: EncodeText | undefined,
  theirs: (text: string) => Promise<ArrayLike<unknown> | undefined>,
): Promise<EngineInfo['tokenizerParity']> {
  if (ours === undefined) return 'unknown';
  for (const text of samples) {
    const other = await theirs(text);
    if (other === undefined) return 'unknown';
    const own = await ours(text);
    if (own.length !== other.length || own.some((id, index) => id !== other[index])) return 'different';
  }
  return 'equal';
}
