/** Searches for several strings at once in text that arrives in pieces. Reads each character once. */
export interface TextSearch {
  /**
   * Reads from `from` up to `to` or the end. Returns the position after the first complete match, or -1. Of matches
   * that end at one position the longest counts.
   */
  feed(text: string, from: number, to?: number): number;
  /** Index of the pattern of the last match. */
  found(): number;
  /** The longest end of the text that is a proper prefix of a pattern. */
  held(): string;
  reset(): void;
}

/** @param patterns none of them empty. */
export function createTextSearch(patterns: readonly string[]): TextSearch {
  const failures = patterns.map(failureTable);
  const firsts = new Set(patterns.map((pattern) => pattern.charCodeAt(0)));
  const matched = new Int32Array(patterns.length);
  let found = -1;
  let longest = 0;

  const step = (code: number): boolean => {
    found = -1;
    longest = 0;
    for (let index = 0; index < patterns.length; index++) {
      const pattern = patterns[index] ?? '';
      const length = advance(pattern, failures[index], matched[index] ?? 0, code);
      matched[index] = length;
      if (length > longest) longest = length;
      if (length === pattern.length && (found < 0 || length > (patterns[found]?.length ?? 0))) found = index;
    }
    return found >= 0;
  };

  const reset = () => {
    matched.fill(0);
    longest = 0;
  };

  return {
    feed(text, from, to = text.length) {
      for (let at = from; at < to; at++) {
        const code = text.charCodeAt(at);
        if (longest === 0 && !firsts.has(code)) continue;
        if (step(code)) {
          reset();
          return at + 1;
        }
      }
      return -1;
    },
    found: () => found,
    held: () => {
      const index = matched.indexOf(longest);
      return longest === 0 ? '' : (patterns[index] ?? '').slice(0, longest);
    },
    reset,
  };
}

/** Length of the matched prefix after one more character, by Knuth, Morris and Pratt. */
function advance(pattern: string, failure: Int32Array | undefined, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && pattern.charCodeAt(length) !== code) length = failure?.[length - 1] ?? 0;
  return pattern.charCodeAt(length) === code ? length + 1 : 0;
}

function failureTable(pattern: string): Int32Array {
  const table = new Int32Array(pattern.length);
  for (let at = 1; at < pattern.length; at++) {
    table[at] = advance(pattern, table, table[at - 1] ?? 0, pattern.charCodeAt(at));
  }
  return table;
}
