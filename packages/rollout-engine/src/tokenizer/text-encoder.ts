import { yieldToEventLoop } from '@weir/foundation';
import { joinIds } from './join-ids';
import { maxNamedTokens, tooManyTokenNames } from './named-token-limit';
import type { NamedTokenPattern } from './named-tokens';
import type { SegmentCache } from './segment-cache';
import { listComponents, hasComponent, type TokenizerFile } from './tokenizer-file';

export interface TextEncoderParts {
  readonly file: TokenizerFile;
  readonly names: NamedTokenPattern;
  readonly findId: (token: string) => number | undefined;
  readonly encode: (text: string) => Promise<Int32Array>;
  /** The same, for strings in which no name of an added token occurs. */
  readonly encodeWithoutNames: (text: string) => Promise<Int32Array>;
  readonly cache: SegmentCache;
}

export type EncodeText = (text: string) => Promise<Int32Array>;

/** A string between two named tokens, or the token itself. */
type Segment = Int32Array | Promise<Int32Array>;

/**
 * Encodes a string in which names of added tokens stand for those tokens. Where the tokenizer treats the strings
 * between them independently, each one is encoded and cached separately, so that what prompts share is encoded once.
 */
export function createTextEncoder(parts: TextEncoderParts): EncodeText {
  if (!isSplitExact(parts.file)) return async (text) => (text === '' ? new Int32Array(0) : await parts.encode(text));
  const encodeSegment = createSegmentEncoder(parts);
  return async (text) => {
    const known: Int32Array[] = [];
    let started: Segment[] = [];
    const settle = async (): Promise<void> => {
      // Waits only for strings that are not cached; all of them are being encoded already.
      for (const segment of started) known.push(segment instanceof Int32Array ? segment : await segment);
      started = [];
    };
    let count = 0;
    for (const segment of splitSegments(text, parts, encodeSegment)) {
      started.push(segment);
      count += 1;
      if (count > maxSegments) throw tooManyTokenNames();
      // The first failure rejects the call; the others must not count as unhandled.
      if (segment instanceof Promise) segment.catch(() => undefined);
      if (started.length < batchLength) continue;
      await settle();
      await yieldToEventLoop();
    }
    await settle();
    return joinIds(known);
  };
}

/** Starting as many takes a few milliseconds. A conversation of ten thousand messages has four times as many. */
const batchLength = 512;

/** Names that the messages may hold, and texts between them. */
const maxSegments = 2 * maxNamedTokens;

/** Starts to encode each segment when it is asked for. */
function* splitSegments(
  text: string,
  { names, findId }: TextEncoderParts,
  encodeSegment: (text: string) => Segment,
): Generator<Segment> {
  let start = 0;
  for (const match of names === undefined ? [] : text.matchAll(names)) {
    if (match.index > start) yield encodeSegment(text.slice(start, match.index));
    yield Int32Array.of(findId(match[0]) ?? 0);
    start = match.index + match[0].length;
  }
  if (text.length > start) yield encodeSegment(text.slice(start));
}

function createSegmentEncoder({ encodeWithoutNames, cache }: TextEncoderParts): (text: string) => Segment {
  const running = new Map<string, Promise<Int32Array>>();
  return (text) => {
    const known = cache.get(text) ?? running.get(text);
    if (known !== undefined) return known;
    const encoding = encodeWithoutNames(text)
      .then((ids) => {
        cache.set(text, ids);
        return ids;
      })
      .finally(() => running.delete(text));
    running.set(text, encoding);
    return encoding;
  };
}

/**
 * Whether encoding the strings between added tokens separately equals encoding the whole: byte-level BPE that prepends
 * no space, with added tokens that do not absorb adjacent text.
 */
export function isSplitExact({ added_tokens: addedTokens, normalizer, pre_tokenizer, decoder, model }: TokenizerFile) {
  const isPlain = addedTokens.every(
    (token) => !token.lstrip && !token.rstrip && !token.single_word && !(token.normalized && normalizer != null),
  );
  // The library first matches tokens that are not normalized, wherever they begin; of one kind the leftmost matches.
  const isOneKind = new Set(addedTokens.map((token) => token.normalized)).size <= 1;
  const addsSpace = listComponents(pre_tokenizer).some(
    (part) => part.add_prefix_space === true || part.type === 'Metaspace',
  );
  const prepends = hasComponent(normalizer, 'Prepend');
  return model.type === 'BPE' && hasComponent(decoder, 'ByteLevel') && isPlain && isOneKind && !addsSpace && !prepends;
}
