import { LRUCache } from 'lru-cache';
import { LineIndex } from './line-index';

export type LogIndexes = ReturnType<typeof createLogIndexes>;

/** 8 MB: the offsets of a thousand million lines. */
const defaultMaxOffsets = 1_000_000;
const maxLogs = 1000;

/** The line indexes of the logs that were read last, in bounded memory. */
export function createLogIndexes(maxOffsets = defaultMaxOffsets) {
  const indexes = new LRUCache<string, LineIndex>({
    max: maxLogs,
    maxSize: maxOffsets,
    sizeCalculation: ({ offsetCount }) => offsetCount,
  });
  return {
    /** Calls `use` with the index of a log that has this size now. An index of what was cut off since is discarded. */
    async withIndex<T>(
      { key, bytes }: { readonly key: string; readonly bytes: { readonly size: number } },
      use: (index: LineIndex) => Promise<T>,
    ): Promise<T> {
      const known = indexes.get(key);
      const index = known === undefined || known.scannedBytes > bytes.size ? new LineIndex() : known;
      try {
        return await use(index);
      } finally {
        // Counted again, because it has grown; one that is larger than all together is not stored.
        indexes.set(key, index);
      }
    },
  };
}
