import { LRUCache } from 'lru-cache';
import { LineIndex } from './line-index';

export type LogIndexes = ReturnType<typeof createLogIndexes>;

/** The offsets take 8 MB, enough for a thousand million lines. */
const defaultMaxOffsets = 1_000_000;
const maxLogs = 1000;

/** Caches the line indexes of the most recently read logs, in bounded memory. */
export function createLogIndexes(maxOffsets = defaultMaxOffsets) {
  const indexes = new LRUCache<string, LineIndex>({
    max: maxLogs,
    maxSize: maxOffsets,
    sizeCalculation: ({ offsetCount }) => offsetCount,
  });
  return {
    /** Calls `use` with the index of a log that has this size now. An index of bytes that were cut off since is discarded. */
    async withIndex<T>(
      { key, bytes }: { readonly key: string; readonly bytes: { readonly size: number } },
      use: (index: LineIndex) => Promise<T>,
    ): Promise<T> {
      const known = indexes.get(key);
      const index = known === undefined || known.scannedBytes > bytes.size ? new LineIndex() : known;
      try {
        return await use(index);
      } finally {
        // The index has grown, so its size is counted again; an index that exceeds the whole limit is not stored.
        indexes.set(key, index);
      }
    },
  };
}
