const syllables = 'ka lo mi ren sta vor un der tion pre ga bel cor ist hu ma per fin tro lus ne wi'.split(' ');
const wordCount = 30_000;

/** Numbers from 0 to below 1, the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

let words: readonly string[] | undefined;

export function seededWords(): readonly string[] {
  words ??= makeWords();
  return words;
}

function makeWords(): readonly string[] {
  const next = seededNumbers(7);
  const found = new Set<string>();
  while (found.size < wordCount) {
    const length = 1 + Math.floor(next() * 4);
    found.add(Array.from({ length }, () => syllables[Math.floor(next() * syllables.length)] ?? '').join(''));
  }
  return [...found];
}

/** Makes sentences of words whose frequencies differ as in natural text. */
export function seededText({ seed, words: count }: { readonly seed: number; readonly words: number }): string {
  const next = seededNumbers(seed);
  const known = seededWords();
  const parts: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const word = known[Math.floor(known.length ** next()) - 1] ?? 'ka';
    const chance = next();
    if (chance < 0.08) parts.push(`${word}.\n`);
    else if (chance < 0.12) parts.push(`${word} ${Math.floor(next() * 1000)}`);
    else parts.push(word);
  }
  return parts.join(' ');
}

/** A text of about so many tokens, which are counted by encoding it. */
export async function seededTokens(
  encode: (text: string) => Promise<Int32Array>,
  { seed, tokens }: { readonly seed: number; readonly tokens: number },
): Promise<string> {
  const long = seededText({ seed, words: tokens }).split(' ');
  let words = long.length;
  for (let round = 0; round < 4; round += 1) {
    words = Math.round((words * tokens) / (await encode(long.slice(0, words).join(' '))).length);
  }
  return long.slice(0, words).join(' ');
}
