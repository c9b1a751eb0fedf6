import { hasComponent, tokenizerRefused, type AddedToken, type TokenizerFile } from './tokenizer-file';

/** The bytes of each token, built once. */
export interface TokenTable {
  readonly size: number;
  readonly ids: ReadonlyMap<string, number>;
  readonly tokenBytes: (id: number) => Uint8Array;
  readonly isControl: (id: number) => boolean;
}

const nothing = new Uint8Array(0);

/** Throws an `AppError` with reason `tokenizer_unsupported` for an unknown kind of decoder. */
export function createTokenTable(file: TokenizerFile): TokenTable {
  const toBytes = vocabularyBytes(file);
  const ids = new Map<string, number>();
  const added = new Map(file.added_tokens.map((token) => [token.id, token]));
  let size = 0;
  for (const [token, id] of vocabularyEntries(file.model.vocab)) {
    ids.set(token, id);
    size = Math.max(size, id + 1);
  }
  for (const { content, id } of file.added_tokens) {
    ids.set(content, id);
    size = Math.max(size, id + 1);
  }
  const store = packBytes(size, ids, (token, id) => (added.has(id) ? utf8(token) : toBytes(token)));
  const control = controlFlags(size, file.added_tokens);
  return {
    size,
    ids,
    tokenBytes: (id) => (id >= 0 && id < size ? store.read(id) : nothing),
    isControl: (id) => control[id] === 1,
  };
}

function packBytes(
  size: number,
  ids: ReadonlyMap<string, number>,
  toBytes: (token: string, id: number) => Uint8Array,
): { read(id: number): Uint8Array } {
  const pieces: (Uint8Array | undefined)[] = new Array<undefined>(size).fill(undefined);
  for (const [token, id] of ids) pieces[id] = toBytes(token, id);
  const starts = new Uint32Array(size + 1);
  for (let id = 0; id < size; id += 1) starts[id + 1] = (starts[id] ?? 0) + (pieces[id]?.length ?? 0);
  const bytes = new Uint8Array(starts[size] ?? 0);
  for (let id = 0; id < size; id += 1) bytes.set(pieces[id] ?? nothing, starts[id]);
  return { read: (id) => bytes.subarray(starts[id], starts[id + 1]) };
}

function controlFlags(size: number, tokens: readonly AddedToken[]): Uint8Array {
  const flags = new Uint8Array(size);
  for (const { id, special } of tokens) flags[id] = special ? 1 : 0;
  return flags;
}

/** BPE and WordLevel list `{ token: id }`, Unigram `[[token, score], …]`. */
function* vocabularyEntries(vocabulary: unknown): Generator<readonly [string, number]> {
  if (Array.isArray(vocabulary)) {
    for (const [id, entry] of vocabulary.entries()) {
      const token: unknown = Array.isArray(entry) ? entry[0] : undefined;
      if (typeof token !== 'string') throw badVocabulary();
      yield [token, id];
    }
    return;
  }
  if (typeof vocabulary !== 'object' || vocabulary === null) throw badVocabulary();
  for (const [token, id] of Object.entries(vocabulary)) {
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0 || id > 0x0fffffff) throw badVocabulary();
    yield [token, id];
  }
}

const badVocabulary = () =>
  tokenizerRefused('The vocabulary of the tokenizer file cannot be read.', 'tokenizer_invalid');

function vocabularyBytes(file: TokenizerFile): (token: string) => Uint8Array {
  if (hasComponent(file.decoder, 'ByteLevel')) return byteLevelBytes();
  if (hasComponent(file.decoder, 'Metaspace') || hasComponent(file.decoder, 'ByteFallback')) return sentencePieceBytes;
  throw tokenizerRefused(
    'The decoder of the tokenizer file is neither byte-level nor of the sentencepiece kind.',
    'tokenizer_unsupported',
  );
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bytes that GPT-2's alphabet maps to themselves; the others are mapped to U+0100 and following. */
const isShownAsItself = (byte: number): boolean =>
  (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;

/** The characters for the bytes 0 to 255 in byte-level vocabularies. */
export function byteLevelAlphabet(): readonly string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isShownAsItself(byte) ? byte : next++));
}

function byteLevelBytes(): (token: string) => Uint8Array {
  const bytesByCharacter = new Map(byteLevelAlphabet().map((character, byte) => [character, byte]));
  return (token) => {
    const bytes = new Uint8Array(token.length);
    for (let index = 0; index < token.length; index += 1) {
      const byte = bytesByCharacter.get(token.charAt(index));
      // As in the library, a token with any other character is plain text.
      if (byte === undefined) return utf8(token);
      bytes[index] = byte;
    }
    return bytes;
  };
}

const byteToken = /^<0x([0-9A-Fa-f]{2})>$/;

function sentencePieceBytes(token: string): Uint8Array {
  const hexadecimal = byteToken.exec(token)?.[1];
  return hexadecimal === undefined ? utf8(token.replaceAll('▁', ' ')) : Uint8Array.of(Number.parseInt(hexadecimal, 16));
}
