import { byteLevelAlphabet } from '../../../tokenizer/token-table';

/** The letter that stands for each byte in byte-level vocabularies. */
export const byteLetters = byteLevelAlphabet();

const bytesByLetter: ReadonlyMap<string, number> = new Map(byteLetters.map((letter, byte) => [letter, byte]));

/** Bytes of a token in a byte-level vocabulary; `undefined` when it contains a letter of no byte. */
export function parseTokenBytes(token: string): Uint8Array | undefined {
  const letters = Array.from(token);
  const bytes = new Uint8Array(letters.length);
  for (const [index, letter] of letters.entries()) {
    const byte = bytesByLetter.get(letter);
    if (byte === undefined) return undefined;
    bytes[index] = byte;
  }
  return bytes;
}

export function toByteLetters(text: string): string {
  return Array.from(Buffer.from(text), (byte) => byteLetters[byte]).join('');
}
