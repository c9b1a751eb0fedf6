import { yieldToEventLoop } from '@weir/foundation';
import { LRUCache } from 'lru-cache';
import { joinIds } from './join-ids';
import { listComponents, type TokenizerFile } from './tokenizer-file';

export interface WordEncoderParts {
  readonly file: TokenizerFile;
  /** Encodes a string. */
  readonly encode: (text: string) => Promise<Int32Array>;
  /** Encodes strings independently of each other. */
  readonly encodeEach: (texts: readonly string[]) => Promise<readonly Int32Array[]>;
}

/**
 * Encodes strings without names of added tokens. Byte-level BPE never merges across the words into which a tokenizer
 * splits a string, so a string is the ids of its words, most of which occurred before: this takes a quarter of the
 * processor time of encoding it as a whole. Strings that are long, that have characters whose class could depend on the
 * version of Unicode, or whose tokenizer splits in another way than those below are encoded as a whole.
 */
export function createWordEncoder({
  file,
  encode,
  encodeEach,
}: WordEncoderParts): (text: string) => Promise<Int32Array> {
  const words = wordExpression(file);
  if (words === undefined) return encode;
  const known = new LRUCache<string, Int32Array>({ max: maxKnownWords });
  const takeTurn = createTurns();

  const addMissing = async ({ parts, missing }: FoundWords): Promise<void> => {
    const words = [...missing.keys()];
    for (const [at, ids] of (await encodeEach(words)).entries()) {
      const word = words[at] ?? '';
      for (const position of missing.get(word) ?? []) parts[position] = ids;
      if (word.length <= maxKnownLength) known.set(detached(word), ids);
    }
  };

  return async (text) => {
    if (text.length > maxTextLength || !settledCharacters.test(text)) return encode(text);
    const parts: Int32Array[] = [];
    for (let at = 0; at < text.length;) {
      await takeTurn(Math.min(maxTurnLength, text.length - at));
      const found = findWords(text, { words, from: at, known });
      if (found.missing.size > 0) await addMissing(found);
      parts.push(joinIds(found.parts));
      at = found.end;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : joinIds(parts);
  };
}

const maxKnownWords = 65_536;
const maxKnownLength = 64;
/** In UTF-16 units, like all lengths here. Longer strings are left to the threads of the native library. */
const maxTextLength = 1_048_576;
/** Splitting as much takes a few milliseconds. */
const maxTurnLength = 32_768;

const contractions = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const prefix = String.raw`[^\r\n\p{L}\p{N}]?`;
const blanks = String.raw`\s*[\r\n]+|\s+(?!\S)|\s+`;
const marks = String.raw` ?[^\s\p{L}\p{N}]+[\r\n]*`;
const pathMarks = String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`;

const gpt2Words = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;

/**
 * The ways of splitting that were compared with the library, as the tokenizer files of the families write them. None
 * looks beyond a word but for `\s+(?!\S)`, and what that finds is also found in the word alone: so a word is split into
 * itself when it is encoded alone.
 */
export const wordPatterns: ReadonlyMap<string, string> = new Map([
  ['GPT-2', gpt2Words],
  ['Llama 3, GLM 4', String.raw`${contractions}|${prefix}\p{L}+|\p{N}{1,3}|${marks}|${blanks}`],
  ['Qwen 2 and 3', String.raw`${contractions}|${prefix}\p{L}+|\p{N}|${marks}|${blanks}`],
  ['Qwen 3.5', String.raw`${contractions}|${prefix}[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|${blanks}`],
  [
    'gpt-oss',
    String.raw`${prefix}${upper}*${lower}+${contractions}?|${prefix}${upper}+${lower}*${contractions}?|\p{N}{1,3}|${pathMarks}|${blanks}`,
  ],
  ['Mistral', String.raw`${prefix}${upper}*${lower}+|${prefix}${upper}+${lower}*|\p{N}|${pathMarks}|${blanks}`],
]);

/** The expression that finds a word at a position, or `undefined` if the tokenizer splits in another way. */
function wordExpression({ pre_tokenizer: preTokenizer, normalizer, model }: TokenizerFile): RegExp | undefined {
  const isNormal = listComponents(normalizer).every(({ type }) => type === 'NFC' || type === 'Sequence');
  if (model.type !== 'BPE' || !isNormal) return undefined;
  const [split, byteLevel, ...more] = listComponents(preTokenizer).filter(({ type }) => type !== 'Sequence');
  if (split?.type === 'ByteLevel' && split.add_prefix_space === false && byteLevel === undefined) {
    return split.use_regex === false ? undefined : expressionOf(gpt2Words);
  }
  const isPlain =
    byteLevel?.type === 'ByteLevel' && byteLevel.add_prefix_space === false && byteLevel.use_regex === false;
  if (split?.type !== 'Split' || split.behavior !== 'Isolated' || split.invert === true || !isPlain || more.length > 0)
    return undefined;
  const pattern: unknown = (split.pattern as Readonly<Record<string, unknown>> | undefined)?.Regex;
  return [...wordPatterns.values()].includes(pattern as string) ? expressionOf(pattern as string) : undefined;
}

/**
 * The same for the regular expressions of JavaScript. Their class of blanks has a mark of byte order, and lacks a line
 * break that Unicode's property has. Both cases of letters are spelled out: in Node 24, groups with `(?i:` were seen
 * to tell them apart, in one process of many.
 */
const expressionOf = (pattern: string): RegExp =>
  new RegExp(
    pattern
      .replaceAll(contractions, "(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))")
      .replaceAll(String.raw`\s`, String.raw`\p{White_Space}`)
      .replaceAll(String.raw`\S`, String.raw`\P{White_Space}`),
    'uy',
  );

/**
 * Characters that have had their class since long, that composing leaves alone, and that no letter of a contraction
 * equals in another case: of Latin, Greek, Cyrillic, Chinese, Japanese and Korean, punctuation, arrows, mathematics, lines
 * and pictures.
 */
export const settledCharacters =
  /^[\t\n\r -~\u00a0-\u017e\u0391-\u03a1\u03a3-\u03c9\u0410-\u044f\u2010-\u2027\u2030-\u205e\u20ac\u2190-\u22ff\u2500-\u25ff\u3000-\u3029\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fa5\uac00-\ud7a3\uff01-\uff5e\u{1f300}-\u{1f64f}]*$/u;

interface WordSearch {
  readonly words: RegExp;
  readonly from: number;
  readonly known: LRUCache<string, Int32Array>;
}

interface FoundWords {
  /** The ids of each word; none yet for one that is missing. */
  readonly parts: Int32Array[];
  /** Words that are not known, and their places among the parts. */
  readonly missing: ReadonlyMap<string, readonly number[]>;
  readonly end: number;
}

/** Finds the words from a position on, for about one turn. */
function findWords(text: string, { words, from, known }: WordSearch): FoundWords {
  const parts: Int32Array[] = [];
  const missing = new Map<string, number[]>();
  const until = Math.min(text.length, from + maxTurnLength);
  let end = from;
  while (end < until) {
    words.lastIndex = end;
    if (!words.test(text)) throw new Error('Each character belongs to a word.');
    const word = text.slice(end, words.lastIndex);
    const ids = known.get(word);
    if (ids === undefined) {
      const places = missing.get(word);
      if (places === undefined) missing.set(word, [parts.length]);
      else places.push(parts.length);
    }
    parts.push(ids ?? noIds);
    end = words.lastIndex;
  }
  return { parts, missing, end };
}

const noIds = new Int32Array();

/** A copy: a slice of a string keeps the whole of it in memory. */
const detached = (word: string): string => Buffer.from(word, 'utf16le').toString('utf16le');

/** Lets the event loop handle what has arrived before more is split than fits into one turn. */
function createTurns(): (length: number) => Promise<void> {
  let left = maxTurnLength;
  let next: Promise<void> | undefined;
  return async (length) => {
    while (length > left) {
      next ??= yieldToEventLoop().then(() => {
        left = maxTurnLength;
        next = undefined;
      });
      await next;
    }
    left -= length;
  };
}
