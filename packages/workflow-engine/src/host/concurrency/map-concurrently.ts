/**
 * Does this for every item, as many at the same time as allowed, and gives the answers in the order of the items.
 * Items that were not started when the signal was aborted have none. When one rejects no more are started, and the first
 * error is thrown once all that were started have settled.
 */
export async function mapConcurrently<Item, Answer>(
  items: readonly Item[],
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  work: (item: Item, index: number) => Promise<Answer>,
): Promise<readonly (Answer | undefined)[]> {
  const results: (Answer | undefined)[] = items.map(() => undefined);
  const errors: unknown[] = [];
  const queue = items.entries();
  const takeItems = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (signal.aborted || errors.length > 0) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, takeItems));
  if (errors.length > 0) throw errors[0];
  return results;
}
