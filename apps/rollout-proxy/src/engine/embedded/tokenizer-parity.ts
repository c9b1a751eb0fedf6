import type { EngineInfo } from '../inference-engine';

/** Ids of a text, names of control tokens read as those tokens. */
export type EncodeText = (text: string) => Promise<Int32Array>;

/** Where tokenizers part: runs of spaces, contractions, digits, scripts, joined characters, code, control tokens. */
const texts = [
  ' one  two   three\n\n\tfour \r\n five  ',
  "I'm, you'RE, they'd've; naïve café",
  '007 1234567 3.14 -2e-9 ٣٤٥',
  '東京とソウル 서울 Москва القاهرة मुंबई',
  '🏳️‍🌈👍🏽 e\u0301 \u00a0\u200b',
  'const f = (x) => ({ "a": [x ?? 1, `${x}`] }); // %20&c=d',
  '<|im_start|>user\nHello<|im_end|>\n<|endoftext|>',
];

export async function compareTokenizers(
  ours: EncodeText | undefined,
  theirs: EncodeText,
): Promise<EngineInfo['tokenizerParity']> {
  if (ours === undefined) return 'unknown';
  for (const text of texts) {
    const [left, right] = await Promise.all([ours(text), theirs(text)]);
    if (left.length !== right.length || left.some((id, index) => id !== right[index])) return 'different';
  }
  return 'equal';
}
