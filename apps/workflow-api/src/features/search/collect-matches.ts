import { findMatches, type FoundMatches } from './find-matches';

export interface FoundItem<Item> extends FoundMatches {
  readonly item: Item;
}

export interface CollectOptions {
  readonly q: string;
  readonly limit: number;
  readonly matchLimit: number;
  readonly signal: AbortSignal | undefined;
}

/** Files are read by four threads; more at a time would only hold more texts in memory. */
const readAtOnce = 16;

/** Collects items whose text matches: one more than `limit`, which shows whether there are more. */
export async function collectMatches<Item>(
  items: readonly Item[],
  readText: (item: Item) => Promise<string>,
  { q, limit, matchLimit, signal }: CollectOptions,
): Promise<readonly FoundItem<Item>[]> {
  const found: FoundItem<Item>[] = [];
  for (let start = 0; start < items.length && found.length <= limit; start += readAtOnce) {
    signal?.throwIfAborted();
    const batch = items.slice(start, start + readAtOnce);
    const texts = await Promise.all(batch.map(readText));
    for (const [index, item] of batch.entries()) {
      const result = findMatches(texts[index] ?? '', q, { afterLine: 0, limit: matchLimit });
      if (result.matches.length > 0) found.push({ item, ...result });
      if (found.length > limit) break;
    }
  }
  return found;
}
