import { createHash } from 'node:crypto';
import { Tokenizer as NativeTokenizer } from 'tokenizers';
import { cutNames } from './cut-names';
import { mapInBatches } from './map-in-batches';
import { joinIds } from './join-ids';
import { namedTokenPattern } from './named-tokens';
import { createSegmentCache } from './segment-cache';
import { createTextEncoder } from './text-encoder';
import { createTokenDecoder } from './token-decoder';
import { createTokenTable, type TokenTable } from './token-table';
import type { Tokenizer } from './tokenizer';
import { createWordEncoder } from './word-encoder';
import { readTokenizerFile, tokenizerRefused, type TokenizerFile } from './tokenizer-file';

export interface HuggingFaceTokenizerOptions {
  /** The text of the `tokenizer.json`. */
  readonly tokenizerJson: string;
  /** The Jinja source of the chat template. */
  readonly chatTemplate: string;
  readonly bosToken: string;
  readonly eosToken: string;
  /** Names or ids; each must be in the vocabulary. */
  readonly endTokens: readonly (string | number)[];
  /** The size of the cache for encoded texts. Default 64 MiB; 0 for no cache. */
  readonly cacheBytes?: number;
}

export interface HuggingFaceTokenizer extends Tokenizer {
  /** Names of all added tokens, including those that are not control tokens, such as `<tool_call>`. */
  readonly addedTokens: readonly string[];
}

const defaultCacheBytes = 64 * 1024 * 1024;

/**
 * The native tokenizer of Hugging Face, which encodes on its own threads. Decoding uses a table, one token at a time,
 * and gives the same bytes as the library, except for the space that sentencepiece tokenizers omit at the start of a
 * string.
 *
 * Throws an `AppError` `invalid_request` with reason `tokenizer_invalid`, `tokenizer_unsupported`,
 * `tokenizer_not_deterministic` or `tokenizer_renumbered`.
 */
export function createHuggingFaceTokenizer(options: HuggingFaceTokenizerOptions): HuggingFaceTokenizer {
  const file = readTokenizerFile(options.tokenizerJson);
  const table = createTokenTable(file);
  const native = loadNative(options.tokenizerJson, file);
  const addedTokens = file.added_tokens.map((token) => token.content);
  const names = namedTokenPattern(addedTokens);
  const encodeText = createTextEncoder({
    file,
    names,
    findId: (token) => table.ids.get(token),
    encode: (text) => encodeNatively(native, text),
    encodeWithoutNames: createWordEncoder({
      file,
      encode: (text) => encodeNatively(native, text),
      encodeEach: (words) => encodeEachNatively(native, words),
    }),
    cache: createSegmentCache(options.cacheBytes ?? defaultCacheBytes),
  });
  return {
    digest: digestTokenizer(file),
    vocabularySize: table.size,
    chatTemplate: options.chatTemplate,
    endIds: options.endTokens.map((token) => endId(table, token)),
    bosToken: options.bosToken,
    eosToken: options.eosToken,
    addedTokens,
    encode: async (text, { control }) =>
      control ? await encodeText(text) : joinIds(await mapInBatches(cutNames(text, names), encodeText)),
    findId: (token) => table.ids.get(token),
    tokenBytes: table.tokenBytes,
    isControl: table.isControl,
    createDecoder: (decoderOptions) => createTokenDecoder(table, decoderOptions),
    stop: () => Promise.resolve(),
  };
}

function loadNative(json: string, file: TokenizerFile): NativeTokenizer {
  let native: NativeTokenizer;
  try {
    native = NativeTokenizer.fromString(json);
  } catch (error) {
    throw tokenizerRefused('The tokenizer file cannot be loaded.', 'tokenizer_invalid', error);
  }
  native.disableTruncation();
  native.disablePadding();
  // The library always assigns the next free id to an added token, so ids could silently differ from the file.
  if (file.added_tokens.some(({ content, id }) => native.tokenToId(content) !== id)) {
    throw tokenizerRefused('The added tokens of the tokenizer file leave a gap in the ids.', 'tokenizer_renumbered');
  }
  return native;
}

async function encodeNatively(native: NativeTokenizer, text: string): Promise<Int32Array> {
  const encoding = await native.encode(text, null, { addSpecialTokens: false });
  return new Int32Array(encoding.getIds());
}

async function encodeEachNatively(native: NativeTokenizer, texts: readonly string[]): Promise<readonly Int32Array[]> {
  const encodings = await native.encodeBatch([...texts], { addSpecialTokens: false });
  return encodings.map((encoding) => new Int32Array(encoding.getIds()));
}

function digestTokenizer({ model, added_tokens: addedTokens, normalizer, pre_tokenizer: preTokenizer }: TokenizerFile) {
  const parts = [model, addedTokens, normalizer ?? null, preTokenizer ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function endId(table: TokenTable, token: string | number): number {
  const id = typeof token === 'number' ? token : table.ids.get(token);
  if (id !== undefined && Number.isSafeInteger(id) && id >= 0 && id < table.size) return id;
  throw tokenizerRefused('An end token is not in the vocabulary of the tokenizer file.', 'tokenizer_invalid');
}
