import { setImmediate } from 'node:timers/promises';

/** Small enough to take a few milliseconds. */
const batchLength = 512;

/** Works like `Promise.all` over `map`, but slice by slice, so that the process can do other work in between. */
export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += batchLength) {
    if (from > 0) await setImmediate();
    results.push(...(await Promise.all(items.slice(from, from + batchLength).map(map))));
  }
  return results;
}
