import { LRUCache } from 'lru-cache';

/** Ids of strings that were encoded before; the least recently used ones are evicted first. */
export interface SegmentCache {
  get(text: string): Int32Array | undefined;
  set(text: string, ids: Int32Array): void;
  readonly bytes: number;
}

// The rough size of a map entry, a string header and an array header.
const entryOverhead = 160;

/**
 * `maxBytes` bounds strings and ids together; a segment of more than an eighth of it is not cached. 0 caches nothing.
 */
export function createSegmentCache(maxBytes: number): SegmentCache {
  // Even an empty segment is larger than 1.
  const maxSize = Math.max(1, maxBytes);
  const entries = new LRUCache<string, Int32Array>({
    maxSize,
    maxEntrySize: Math.max(1, Math.floor(maxSize / 8)),
    sizeCalculation: (ids, text) => text.length * 2 + ids.byteLength + entryOverhead,
  });
  return {
    get: (text) => entries.get(text),
    set: (text, ids) => void entries.set(text, ids),
    get bytes() {
      return entries.calculatedSize;
    },
  };
}
