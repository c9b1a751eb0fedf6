import { createHash } from 'node:crypto';

/**
 * A source of ids in the form of version 4 UUIDs. The same seed gives the same ids in the same order, so a spec can
 * name them beforehand with a second source.
 */
export function createSeededIds(seed: string | number = 'weir'): () => string {
  let count = 0;
  return () => {
    count += 1;
    const hex = createHash('sha256').update(`${seed}:${count}`).digest('hex');
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `8${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join('-');
  };
}
