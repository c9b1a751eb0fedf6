/** Finds many short patterns in bytes. */
export interface PatternIndex {
  /** The first position in `from` to `to` where a pattern may start; `to` when there is none. */
  next(bytes: Uint8Array, from: number, to: number): number;
  /** The length of the longest pattern at a position; 0 when there is none. */
  matchLengthAt(bytes: Uint8Array, at: number): number;
  /** The first position whose bytes up to the end may be the start of a pattern; the length when there is none. */
  unfinishedFrom(bytes: Uint8Array): number;
}

const keyBytes = 3;
const tableSize = 65_536;

/** Patterns must have at least three bytes. */
export function createPatternIndex(patterns: readonly Uint8Array[]): PatternIndex {
  const table = new Uint8Array(tableSize);
  const byKey = new Map<number, Uint8Array[]>();
  const byFirst = new Map<number, Uint8Array[]>();
  let maxLength = keyBytes;
  for (const pattern of [...patterns].sort((left, right) => right.length - left.length)) {
    table[hashAt(pattern, 0)] = 1;
    addTo(byKey, hashAt(pattern, 0), pattern);
    addTo(byFirst, pattern[0] ?? 0, pattern);
    maxLength = Math.max(maxLength, pattern.length);
  }
  return {
    next: (bytes, from, to) => {
      // The hot loop: most bytes of an output are only tested here.
      const end = Math.min(to, bytes.length - keyBytes + 1);
      for (let at = from; at < end; at += 1) if (table[hashAt(bytes, at)] === 1) return at;
      return to;
    },
    matchLengthAt: (bytes, at) => {
      const left = bytes.length - at;
      const found = byKey.get(hashAt(bytes, at))?.find((each) => each.length <= left && matchesAt(each, bytes, at));
      return found?.length ?? 0;
    },
    unfinishedFrom: (bytes) => {
      for (let at = Math.max(0, bytes.length - maxLength + 1); at < bytes.length; at += 1) {
        const left = bytes.length - at;
        const candidates = byFirst.get(bytes[at] ?? 0);
        if (candidates?.some((each) => each.length > left && matchesAt(each, bytes, at)) === true) return at;
      }
      return bytes.length;
    },
  };
}

function hashAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) ^ ((bytes[at + 1] ?? 0) << 4) ^ (bytes[at + 2] ?? 0);
}

/** Whether the bytes from a position match the pattern, as far as both reach. */
function matchesAt(pattern: Uint8Array, bytes: Uint8Array, at: number): boolean {
  const end = Math.min(pattern.length, bytes.length - at);
  for (let index = 0; index < end; index += 1) if (pattern[index] !== bytes[at + index]) return false;
  return true;
}

function addTo(map: Map<number, Uint8Array[]>, key: number, pattern: Uint8Array): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [pattern]);
  else found.push(pattern);
}
