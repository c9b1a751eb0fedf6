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

/** Collects items whose text matches: one more than `limit`, which shows whether there are more. */
export async function collectMatches<Item>(
  items: readonly Item[],
  readText: (item: Item) => Promise<string>,
  { q, limit, matchLimit, signal }: CollectOptions,
): Promise<readonly FoundItem<Item>[]> {
  const found: FoundItem<Item>[] = [];
  for (const item of items) {
    signal?.throwIfAborted();
    const result = findMatches(await readText(item), q, { afterLine: 0, limit: matchLimit });
    if (result.matches.length > 0) found.push({ item, ...result });
    if (found.length > limit) break;
  }
  return found;
}
