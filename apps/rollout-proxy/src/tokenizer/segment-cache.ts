/** Ids of texts that were encoded before, the least recently used ones forgotten first. */
export interface SegmentCache {
  get(text: string): Int32Array | undefined;
  set(text: string, ids: Int32Array): void;
  readonly bytes: number;
}

// Map entry, string header and array header, roughly.
const entryOverhead = 160;

/** `maxBytes` bounds texts and ids together; a segment of more than an eighth of it is not kept. */
export function createSegmentCache(maxBytes: number): SegmentCache {
  const entries = new Map<string, Int32Array>();
  let bytes = 0;
  const entrySize = (text: string, ids: Int32Array) => text.length * 2 + ids.byteLength + entryOverhead;
  const drop = (text: string, ids: Int32Array) => {
    entries.delete(text);
    bytes -= entrySize(text, ids);
  };
  return {
    get bytes() {
      return bytes;
    },
    get(text) {
      const ids = entries.get(text);
      if (ids === undefined) return undefined;
      entries.delete(text);
      entries.set(text, ids);
      return ids;
    },
    set(text, ids) {
      const size = entrySize(text, ids);
      if (size > maxBytes / 8) return;
      const known = entries.get(text);
      if (known !== undefined) drop(text, known);
      entries.set(text, ids);
      bytes += size;
      for (const [oldest, oldestIds] of entries) {
        if (bytes <= maxBytes) break;
        drop(oldest, oldestIds);
      }
    },
  };
}
