import type { EngineInfo } from '../inference-engine';
import { asList, asObject } from '../http/json-value';
import type { ProbeDeps } from './probe-engine';

/** Where tokenizers of different versions are known to part: spaces, digits, scripts, joined characters, code. */
const texts = [
  'The quick brown fox jumps over the lazy dog.',
  '  two spaces,\n\n\ttabs and lines \n end  ',
  '1234567890 3.14159 1e-5 0x1F',
  "I'll don't WE'VE naïve café",
  '漢字とかな 한국어 русский العربية',
  '👩‍👩‍👧‍👦 🇫🇷 é é',
  'def f(x):\n    return {"a": [1, 2], "b": x ** 2}\n',
  'https://example.org/a?b=c&d=%20#e',
];

/** Compares ids of a set of texts; `unknown` where the engine has no tokenizer to ask or there is none of our own. */
export async function compareTokenizers(
  { dialect, connection, encode, signal }: ProbeDeps,
  model: string | undefined,
): Promise<EngineInfo['tokenizerParity']> {
  if (encode === undefined) return 'unknown';
  for (const text of texts) {
    const { path, body } = dialect.tokenizeCall(text, model);
    const answer = await connection.control('POST', path, body, signal);
    const theirs = asList(asObject(answer.json)?.tokens);
    if (answer.status !== 200 || theirs === undefined) return 'unknown';
    const ours = await encode(text);
    if (theirs.length !== ours.length || theirs.some((id, index) => id !== ours[index])) return 'different';
  }
  return 'equal';
}
