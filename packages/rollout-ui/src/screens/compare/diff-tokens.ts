/** Where two paths of tokens differ. */
export interface TokenDiff {
  /** Length of the beginning that both have. */
  readonly fork: number;
  /** 1 for tokens that the other one does not have. */
  readonly left: Uint8Array;
  readonly right: Uint8Array;
}

/** Above it, everything between beginning and end counts as different. */
const maxCells = 4_000_000;

/** Compares ids from the fork on: a longest common subsequence, in space and time linear in the product of both rests. */
export function diffTokens(left: Int32Array, right: Int32Array): TokenDiff {
  const shorter = Math.min(left.length, right.length);
  let fork = 0;
  while (fork < shorter && left[fork] === right[fork]) fork += 1;
  let tail = 0;
  while (tail < shorter - fork && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  const diff = { fork, left: new Uint8Array(left.length), right: new Uint8Array(right.length) };
  const [leftEnd, rightEnd] = [left.length - tail, right.length - tail];
  diff.left.fill(1, fork, leftEnd);
  diff.right.fill(1, fork, rightEnd);
  if ((leftEnd - fork) * (rightEnd - fork) <= maxCells) {
    for (const [at, other] of commonPairs(left.subarray(fork, leftEnd), right.subarray(fork, rightEnd))) {
      diff.left[fork + at] = 0;
      diff.right[fork + other] = 0;
    }
  }
  return diff;
}

function* commonPairs(left: Int32Array, right: Int32Array): Generator<readonly [number, number]> {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let at = left.length - 1; at >= 0; at -= 1) {
    for (let other = right.length - 1; other >= 0; other -= 1) {
      const cell = at * width + other;
      const below = lengths[cell + width] ?? 0;
      const beside = lengths[cell + 1] ?? 0;
      lengths[cell] = left[at] === right[other] ? (lengths[cell + width + 1] ?? 0) + 1 : Math.max(below, beside);
    }
  }
  let [at, other] = [0, 0];
  while (at < left.length && other < right.length) {
    const cell = at * width + other;
    if (left[at] === right[other]) yield [at++, other++];
    else if ((lengths[cell + width] ?? 0) >= (lengths[cell + 1] ?? 0)) at += 1;
    else other += 1;
  }
}
