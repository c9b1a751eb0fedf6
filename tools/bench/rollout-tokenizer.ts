import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { seededText, seededWords } from './rollout-text';

/** Bytes and merges together about a tenth of a large model's vocabulary: words are still made of one to three tokens. */
const mergeCount = 16_384;
/** Pairs that are merged in one round: near enough to one by one, and some hundred times faster. */
const mergesPerRound = 256;
const corpusWords = 400_000;
/** Raised with the code that learns the merges. */
const recipeVersion = 2;
const cacheFolder = path.resolve(__dirname, '../../.nx/bench');

const controlTokens = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];
const plainTokens = ['<tool_call>', '</tool_call>', '<tool_response>', '</tool_response>'];
const splitPattern =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

const chatTemplate = `{%- if tools %}<|im_start|>system
{% if messages[0].role == "system" %}{{ messages[0].content }}

{% endif %}You may call these functions:
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% elif messages[0].role != "system" %}<|im_start|>system
You are a careful assistant.<|im_end|>
{% endif %}
{%- for message in messages %}
{%- if message.role == "tool" %}<|im_start|>user
<tool_response>
{{ message.content }}
</tool_response><|im_end|>
{% elif not (tools and message.role == "system" and loop.first) %}<|im_start|>{{ message.role }}
{{ message.content }}
{%- for call in message.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endif %}{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}`;

/** A folder with a byte-level BPE tokenizer, learned from a seeded text, and a ChatML template. It is created once. */
export async function benchTokenizerFolder(): Promise<string> {
  const recipe = createHash('sha256').update(
    JSON.stringify([recipeVersion, mergeCount, mergesPerRound, corpusWords, chatTemplate]),
  );
  const folder = path.join(cacheFolder, `tokenizer-${recipe.digest('hex').slice(0, 12)}`);
  if (await isThere(path.join(folder, 'tokenizer.json'))) return folder;
  await mkdir(folder, { recursive: true });
  const config = { chat_template: chatTemplate, eos_token: '<|im_end|>', bos_token: null };
  await writeFile(path.join(folder, 'tokenizer_config.json'), JSON.stringify(config));
  const draft = path.join(folder, `tokenizer.${process.pid}.new`);
  await writeFile(draft, JSON.stringify(tokenizerFile()));
  await rename(draft, path.join(folder, 'tokenizer.json'));
  return folder;
}

const isThere = (file: string): Promise<boolean> =>
  readFile(file).then(
    () => true,
    () => false,
  );

function tokenizerFile() {
  const alphabet = byteAlphabet();
  const merges = learnMerges(alphabet);
  const tokens = [...alphabet, ...merges.map(([left, right]) => left + right)];
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const added = [...controlTokens, ...plainTokens].map((content, index) => ({
    id: tokens.length + index,
    content,
    special: controlTokens.includes(content),
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false };
  return {
    version: '1.0',
    added_tokens: added,
    normalizer: { type: 'NFC' },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: splitPattern }, behavior: 'Isolated', invert: false },
        byteLevel,
      ],
    },
    decoder: byteLevel,
    model: { type: 'BPE', vocab, merges },
  };
}

/** One printable character for each byte, as byte-level BPE writes them. */
function byteAlphabet(): readonly string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCodePoint(isPrintable ? byte : next++);
  });
}

type Pair = readonly [left: string, right: string];

/** The most frequent pairs of neighbours become tokens, round by round. */
function learnMerges(alphabet: readonly string[]): readonly Pair[] {
  const words = countedWords(alphabet);
  const made = new Set(alphabet);
  const merges: Pair[] = [];
  while (merges.length < mergeCount) {
    const best = frequentPairs(words).filter(([left, right]) => !made.has(left + right));
    const taken = withoutOverlaps(best).slice(0, Math.min(mergesPerRound, mergeCount - merges.length));
    if (taken.length === 0) throw new Error('The text is too small for so many merges.');
    merges.push(...taken);
    for (const [left, right] of taken) made.add(left + right);
    const keys = new Set(taken.map(([left, right]) => `${left} ${right}`));
    for (const word of words) word.parts = merged(word.parts, keys);
  }
  return merges;
}

/**
 * Of two pairs that could want the same token of a word, only the more frequent one is learned in a round: a tokenizer
 * applies its merges one after the other.
 */
function withoutOverlaps(pairs: readonly Pair[]): readonly Pair[] {
  const [lefts, rights] = [new Set<string>(), new Set<string>()];
  return pairs.filter(([left, right]) => {
    if (left === right || rights.has(left) || lefts.has(right)) return false;
    lefts.add(left);
    rights.add(right);
    return true;
  });
}

interface CountedWord {
  parts: readonly string[];
  readonly count: number;
}

function countedWords(alphabet: readonly string[]): readonly CountedWord[] {
  const counts = new Map<string, number>();
  const words = seededText({ seed: 11, words: corpusWords }).match(/ ?[^\s]+|\s+/g) ?? [];
  // Every word of the vocabulary occurs once, so that rare ones have merges as well.
  for (const word of [...seededWords().map((one) => ` ${one}`), ...words])
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => ({
    parts: Array.from(new TextEncoder().encode(word), (byte) => alphabet[byte] ?? ''),
    count,
  }));
}

function frequentPairs(words: readonly CountedWord[]): readonly Pair[] {
  const counts = new Map<string, number>();
  for (const { parts, count } of words) {
    for (let at = 1; at < parts.length; at += 1) {
      const key = `${parts[at - 1] ?? ''} ${parts[at] ?? ''}`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
  }
  const sorted = [...counts].sort(([left, more], [right, less]) => less - more || (left < right ? -1 : 1));
  return sorted.slice(0, 4 * mergesPerRound).map(([key]): Pair => {
    const [left = '', right = ''] = key.split(' ');
    return [left, right];
  });
}

function merged(parts: readonly string[], pairs: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const [left = '', right] = [parts[at], parts[at + 1]];
    const isPair = right !== undefined && pairs.has(`${left} ${right}`);
    found.push(isPair ? left + right : left);
    if (isPair) at += 1;
  }
  return found;
}
