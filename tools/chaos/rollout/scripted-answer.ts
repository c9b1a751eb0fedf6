/** The first tokens of the tiny vocabulary are the bytes; the answers use the letters from a to z. */
const firstLetter = 97;
const letters = 26;

/**
 * The tokens that the engine samples after a prompt. The prompt alone decides them, so that each exported token can be
 * checked, also after the engine that sampled it was killed.
 */
export function scriptedAnswer(promptIds: Iterable<number>, endId: number): readonly number[] {
  let hash = 0x811c9dc5;
  for (const id of promptIds) hash = Math.imul(hash ^ id, 0x01000193) >>> 0;
  const length = 4 + (hash % 24);
  const ids = Array.from({ length }, (_, index) => firstLetter + (((hash >>> (index % 17)) + index) % letters));
  return [...ids, endId];
}
